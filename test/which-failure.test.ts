import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Post } from '../src/core/post.js';
import { PLAIN_FAULTS } from '../src/scenarios/file/fault.js';
import { PolicyThen } from '../src/scenarios/file/webhooks.js';
import { STEADY } from './support/bodies.js';
import { GENERATE } from './support/readme.js';
import { good, START } from './support/sandbox.js';
import { type Got, HOOK, SECRET, settle, setup, type Setup } from './webhooks/support.js';

/** Does each row of the page, and compares what happens with what the row says. */

const PATH = join(import.meta.dirname, '../docs/guides/which-failure.md');

/** What a rule or a policy does. */
type Then = Readonly<Record<string, unknown>>;
/** What is read of an answer. */
interface Charged {
  readonly Code?: number;
  readonly Status?: string;
  readonly IsRetryable?: boolean;
}
type Headers = Readonly<Record<string, string>>;
/** Asks for a failure of an operation. Returns the headers that its call needs. */
type Ask = (one: Setup, operation: string) => Promise<Headers>;

/** Expects each row of the table below a heading to be as `complete` returns it. */
async function expectTable(
  heading: string,
  complete: (cells: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const page = readFileSync(PATH, 'utf8');
  const [, before = '', table = ''] =
    new RegExp(`(^## ${heading}\n[^]*?^\\| ---.*\n)((?:\\|.*\n)+)`, 'm').exec(page) ?? [];
  const rows: string[] = [];
  for (const row of table.trim().split('\n')) {
    const cells = row.split('|').slice(1, -1);
    rows.push(`| ${(await complete(cells.map((cell) => cell.trim()))).join(' | ')} |\n`);
  }
  if (GENERATE)
    writeFileSync(
      PATH,
      page.replace(before + table, () => before + rows.join('')),
    );
  else expect(table).toBe(rows.join(''));
}

const codeIn = (cell = ''): string => /^`(.*)`$/.exec(cell)?.[1] ?? '';
const thenIn = (cell = ''): Then => parse(codeIn(cell)) as Then;

/** The ways to ask for a failure: by a rule; by a queue and a header, where they can. */
function waysOf(then: Then, headerCell = ''): Ask[] {
  const [name = '', value = ''] = codeIn(headerCell).split(/: (.*)/);
  const item = itemOf(then);
  const ways: Ask[] = [
    async ({ api }, operation) => {
      await good(api.play({ name: 'one failure', rules: [{ when: { operation }, then }] }));
      return {};
    },
  ];
  if (name !== '') ways.push(() => Promise.resolve({ [name]: value }));
  if (item === null) return ways;
  ways.push(async ({ api }, operation) => {
    await good(api.queue(operation, [item]));
    return {};
  });
  return ways;
}

/** What a queue takes for this; null if it needs a rule. */
function itemOf({ outcome, fault, respond, delay, phase, advance }: Then): Then | null {
  if (advance !== undefined || respond !== undefined || typeof fault === 'object') return null;
  return { Outcome: outcome, Fault: fault, Delay: delay, Phase: phase };
}

/** What all ways to ask for a failure lead to: the same. */
async function outcomeOf(ways: readonly Ask[], attempt: (ask: Ask) => Promise<string[]>): Promise<string[]> {
  const [first = [], ...others] = await Promise.all(ways.map(attempt));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

/** Sends a call as a client does, and returns what it sees. */
async function send({ sandbox, host }: Setup, call: string, body: object, more: Headers): Promise<string> {
  const [method = '', path = ''] = call.split(' ');
  const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json', ...more };
  host.slept.length = 0;
  try {
    const request = new Request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) });
    return await seenIn(await sandbox.fetch(request), host.slept);
  } catch (error) {
    if (host.slept.includes(3_600_000)) return 'no answer for an hour';
    const { code } = (error as { cause: { code: string } }).cause;
    return `no answer: the connection is ${code === 'ECONNRESET' ? 'reset' : 'closed'}`;
  }
}

async function seenIn(answer: Response, slept: readonly number[]): Promise<string> {
  const { status, headers } = answer;
  const text = await answer.text().catch(() => null);
  if (text === null) return `${status}, and half of the body`;
  if (!text.startsWith('{')) return `${status} with HTML`;
  const { Code, Status, IsRetryable } = JSON.parse(text) as Charged;
  const waited = slept.find((ms) => ms >= 1000);
  return [
    Code === undefined ? `${status} \`${Status}\`` : `${status}, Code ${Code}`,
    ...(IsRetryable === true ? ['retryable'] : []),
    ...(headers.has('retry-after') ? ['`Retry-After`'] : []),
    ...(waited === undefined ? [] : [`after ${waited / 1000} s`]),
    ...(slept.length > 100 ? ['byte by byte'] : []),
  ].join(', ');
}

/** Charges a token that lives for 15 minutes; by default as a customer whose call does not matter. */
async function charge(one: Setup, Reference: string, headers: Headers = {}, more = {}): Promise<string> {
  const PaymentInformation = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' };
  const { body } = await good(one.api.post('/_sandbox/tokens', { ProviderId: STEADY, PaymentInformation }));
  return send(one, 'POST /charge/token', { Amount: 20, Token: body['TokenId'], Reference, ...more }, headers);
}

/** The charges that a search for order-1 finds. */
async function found({ api }: Setup): Promise<readonly { ChargeId: string; Status: string }[]> {
  const { Charges } = await api.read('/charge?Reference=order-1');
  return Charges as { ChargeId: string; Status: string }[];
}

const chargeOf = async (one: Setup): Promise<string> => (await found(one))[0]?.ChargeId ?? '';

const statusesOf = async (one: Setup): Promise<string> =>
  (await found(one)).map(({ Status }) => `\`${Status}\``).join(', ') || 'nothing';

const isMoved = async (one: Setup): Promise<string> =>
  (await statusesOf(one)) === '`SUCCESS`' ? '**yes**' : 'no';

/** How many calls a row needs before the one that fails. */
const callsBefore = ({ fault }: Then): number =>
  typeof fault === 'object' ? Number((fault as Then)['quota']) : 0;

test('Each row for a charge says what the client sees, and whether money moved.', async () => {
  const faults: unknown[] = [];
  await expectTable('Charges', async ([want = '', , , , rule = '', header = '']) => {
    const then = thenIn(rule);
    faults.push(then['fault']);
    const cells = await outcomeOf(waysOf(then, header), async (ask) => {
      const one = setup();
      const headers = await ask(one, 'charge.create');
      for (let n = 0; n < callsBefore(then); n++) await charge(one, `before-${n}`);
      return [await charge(one, 'order-1', headers), await isMoved(one), await statusesOf(one)];
    });
    return [want, ...cells, rule, header];
  });
  expect(faults).toEqual(expect.arrayContaining([...PLAIN_FAULTS]));
});

/** The calls of the operations that follow a charge, and whether they need it captured. */
const FOLLOWING: Readonly<Record<string, { call: (id: string) => string; isCaptured: boolean }>> = {
  'charge.capture': { call: (id) => `POST /charge/${id}`, isCaptured: false },
  'charge.void': { call: (id) => `DELETE /charge/${id}`, isCaptured: false },
  'charge.refund': { call: (id) => `DELETE /refund/${id}`, isCaptured: true },
};

test('So does each row for what comes after a charge.', async () => {
  await expectTable(
    'Captures, voids and refunds',
    async ([want = '', name = '', , , rule = '', header = '']) => {
      const operation = codeIn(name);
      const { call = String, isCaptured: Capture } = FOLLOWING[operation] ?? { isCaptured: true };
      const cells = await outcomeOf(waysOf(thenIn(rule), header), async (ask) => {
        const one = setup();
        const headers = await ask(one, operation);
        await charge(one, 'order-1', {}, { Capture });
        const id = await chargeOf(one);
        const body = operation === 'charge.capture' ? { Amount: 20 } : {};
        return [await send(one, call(id), body, headers), await statusesOf(one)];
      });
      return [want, name, ...cells, rule, header];
    },
  );
});

const isSigned = ({ body, headers }: Post): boolean =>
  headers['x-payfurl-signature'] === createHmac('sha256', SECRET).update(body).digest('base64');

/** What a receiver sees of a webhook. */
function arrival({ message: { meta, data }, ...post }: Got, now: number, isAnswered: boolean): string {
  const minutes = (now - START) / 60_000;
  const age = (now - Date.parse(meta.timestamp)) / 60_000;
  return [
    `\`${String(data['status'])}\``,
    ...(isAnswered ? [] : ['before the answer']),
    ...(isSigned(post) ? [] : ['with a wrong signature']),
    ...(minutes >= 1 ? [`${minutes} minutes late`] : []),
    ...(age > minutes ? [`dated ${age} minutes before`] : []),
  ].join(' ');
}

/** Plays a policy for the first webhook of a charge, and returns all that its receiver sees in a week. */
async function receivedUnder(then: Then, one: Setup): Promise<string> {
  const policies = [{ when: { nth: 1 }, then }];
  await good(one.api.play({ name: 'a webhook', webhooks: { secret: SECRET, policies } }));
  const arrivals: string[] = [];
  const world = one.sandbox.worlds.open('sk_test_a');
  let isAnswered = false;
  one.receiver.answer = (post) => {
    const got = one.receiver.got.at(-1);
    if (got !== undefined) arrivals.push(arrival(got, world.now, isAnswered));
    return { status: isSigned(post) ? 204 : 401 };
  };
  const headers: Headers = then['forged'] === true ? { 'x-sandbox-outcome': 'do_not_honor' } : {};
  await charge(one, 'order-1', headers, { Webhook: { Url: HOOK } });
  isAnswered = true;
  const moved = await isMoved(one);
  if (then['swap'] === true) await send(one, `DELETE /refund/${await chargeOf(one)}`, {}, {});
  await settle(one.api);
  await one.api.advance('7d');
  return [summaryOf(arrivals), moved].join('|');
}

/** Attempts are many: all that are alike count as one. */
function summaryOf(arrivals: readonly string[]): string {
  const [first = 'nothing', second = ''] = arrivals;
  if (arrivals.length > 2) return `${first}, in each of ${arrivals.length} attempts`;
  return second === first ? `${first}, twice` : arrivals.join(', then ') || first;
}

test('Each policy has a row that says what the receiver gets.', async () => {
  const effects: string[] = [];
  await expectTable('Webhooks', async ([want = '', , , policy = '']) => {
    const then = thenIn(policy);
    effects.push(...Object.keys(then));
    const cells = (await receivedUnder(then, setup())).split('|');
    return [want, ...cells, policy];
  });
  expect(new Set(effects)).toEqual(new Set(Object.keys(PolicyThen.shape)));
});
