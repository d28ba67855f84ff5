import { Readable } from 'node:stream';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { type CommandOf, parseCommand } from '../../../../src/node/cli/parse.js';
import { runVerb } from '../../../../src/node/cli/run-verb.js';
import { CommandError, type VerbResult } from '../../../../src/node/terminal/terminal.js';
import { fileWith, sender, server } from '../../replay/support.js';

const KEY = 'sk_test_local';
const WORLD = 'the world cf5a2060d5a6 of sk_test_local';
const ORDERS = [
  { reference: 'order-1', amount: 20, currency: 'AUD', paid: true, refunded: 0 },
  { reference: 'order-2', amount: '7.50', paid: false },
];

/** A server with a charge of the first order, and the verb on it. */
async function setup() {
  const served = await server();
  const send = sender(served, KEY);
  const charge = { Amount: 20, Token: 'tok_approve', Reference: 'order-1' };
  await send('POST /charge/token', charge);
  const run = (file: string, ...words: string[]): Promise<VerbResult> => {
    const command = parseCommand(['reconcile', '--orders', file, ...words], { PLAYMONEY_URL: served.url });
    return runVerb(command as CommandOf<'reconcile'>);
  };
  const refusal = async (file: string): Promise<readonly [string, number]> => {
    const error: unknown = await run(file).catch((thrown: unknown) => thrown);
    if (!(error instanceof CommandError)) throw error;
    return [error.message, error.exitCode];
  };
  return { run, refusal, again: () => send('POST /charge/token', charge) };
}

describe('playmoney reconcile', () => {
  test('prints that the orders balance', async () => {
    const { run } = await setup();
    const text = `2 orders and the charges of ${WORLD} balance.\n`;
    expect(await run(fileWith(ORDERS))).toEqual({ text });
    const lines = `\uFEFF${ORDERS.map((order) => JSON.stringify(order)).join('\r\n\r\n')}\n`;
    expect(await run(fileWith(lines))).toEqual({ text });
  });

  test('prints a line for each finding, and exits with 1', async () => {
    const { run, again } = await setup();
    await again();
    const file = fileWith([...ORDERS, { reference: 'order\n3', amount: 1, paid: true }]);
    expect(await run(file)).toEqual({
      text: [
        'order-1 was charged twice: 2 charges took 40 AUD; the shop expects 20 AUD.',
        'order\\n3 was ordered, but not charged in full: no charge succeeded; the shop expects 1 AUD.',
        `3 orders and the charges of ${WORLD} do not balance: 2 findings.\n`,
      ].join('\n'),
      exitCode: 1,
    });
    const { text, exitCode } = await run(file, '--json');
    expect([JSON.parse(text ?? ''), exitCode]).toEqual([
      expect.objectContaining({ Balanced: false, Count: 2, Totals: expect.any(Array) }),
      1,
    ]);
  });

  test('reads standard input', async () => {
    const { run } = await setup();
    const stdin = vi.spyOn(process, 'stdin', 'get');
    onTestFinished(() => stdin.mockRestore());
    stdin.mockReturnValue(Readable.from([JSON.stringify(ORDERS)]) as never);
    expect(await run('-')).toEqual({ text: `2 orders and the charges of ${WORLD} balance.\n` });
  });

  test.each<[what: string, content: string, message: string]>([
    ['that is not JSON', '[{"amount": 1,}]', ':1:15: not valid JSON: Found "}"'],
    [
      'with a wrong line',
      '{"amount": 1}\n\n{"amount" 1}',
      ':3:11: not valid JSON: Found a digit, expected ":"',
    ],
    [
      'with another value',
      '[{"amount": 1}, 5]',
      ': order 2 is a number; it must be an object such as {"reference"',
    ],
    [
      'with a wrong amount',
      '[{"amount": -1, "paid": true}]',
      ': Invalid Amount: Orders.0.Amount is -1; it must not be negative.',
    ],
    [
      'with a wrong field',
      '{"amount": 1, "payed": true}',
      'Unknown field "Orders.0.Payed"; did you mean Paid?',
    ],
  ])('refuses a file %s with 2', async (_, content, message) => {
    const { refusal } = await setup();
    const file = fileWith(content, 'orders.json');
    expect(await refusal(file)).toEqual([expect.stringContaining(message), 2]);
    expect((await refusal(file))[0].startsWith(file)).toBe(true);
  });

  test('refuses a file that it cannot read with 2', async () => {
    const { refusal } = await setup();
    expect(await refusal('nowhere.json')).toEqual(['cannot read nowhere.json: no such file', 2]);
  });
});
