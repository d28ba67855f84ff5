import { describe, expect, test } from 'vitest';

import { wrongMoney } from '../model/money.js';
import type { Answer, Client } from './client.js';
import { Findings } from './findings.js';
import { Pace } from './pace.js';
import { Player, type Want } from './player.js';
import type { Sample } from './program.js';
import { Readings } from './readings.js';

/** A soak whose judge lets everything pass would show nothing. */

const MIB = 1024 * 1024;
const STILL: Sample = { rss: 150 * MIB, heap: 50 * MIB, resources: { Timeout: 1 }, unheld: 2, files: 20 };

/** What is wrong with three minutes of samples, one every ten seconds. */
function faultsOf(minutes: number, more: (minute: number) => Partial<Sample>): string[] {
  const readings = new Readings();
  for (let i = 0; i < 18; i++) readings.add({ ...STILL, ...more(i / 6) }, i * 10_000);
  return readings.faults(minutes);
}

describe('what the program holds', () => {
  test('may go up and down', () => {
    const swinging = (minute: number): Partial<Sample> => {
      const wave = Math.round(3 * Math.sin(minute * 20));
      return { rss: (150 + wave) * MIB, heap: 50 * MIB + wave * 1000, files: 20 + wave, unheld: 5 + wave };
    };
    expect(faultsOf(20, swinging)).toEqual([]);
    expect(faultsOf(2, swinging)).toEqual([]);
  });

  test.each<[what: string, minutes: number, more: (minute: number) => Partial<Sample>, fault: string]>([
    ['memory', 20, (m) => ({ rss: (150 + 1.2 * m) * MIB }), 'RSS grows by 1.20 MiB a minute'],
    ['the heap', 2, (m) => ({ heap: (50 + 4.5 * m) * MIB }), 'the heap grows by 4.50 MiB a minute'],
    ['handles', 20, (m) => ({ files: 20 + Math.floor(5 * m) }), 'handles went up from 22 to 32'],
    [
      'timers that hold the program',
      2,
      (m) => ({ resources: { Timeout: Math.floor(5 * m) } }),
      'timers went up',
    ],
    ['other timers', 2, (m) => ({ unheld: Math.floor(5 * m) }), 'timers went up from 3 to 13'],
    [
      'handles where the system does not tell',
      2,
      (m) => ({ files: null, resources: { TCPSocketWrap: Math.floor(9 * m), Immediate: 99 } }),
      'handles went up from 4 to 22',
    ],
  ])('must not grow: %s', (_, minutes, more, fault) => {
    expect(faultsOf(minutes, more)).toEqual([expect.stringContaining(fault) as unknown]);
  });

  test('must have been looked at often enough', () => {
    expect(new Readings().faults(2)).toEqual([expect.stringContaining('there are 0 samples') as unknown]);
  });
});

describe('answers', () => {
  const OK: Answer = { status: 200, headers: {}, text: '{"Count":2,"Charges":[{"Status":"SUCCESS"}]}' };

  async function judge(want: Want): Promise<string> {
    const findings = new Findings();
    const client = { call: () => Promise.resolve(OK) } as unknown as Client;
    const player = new Player('sk_test_a', { client, pace: new Pace(Infinity), findings, seed: '1' });
    await player.see('GET /charge', want).catch(() => {});
    return findings.text();
  }

  test('that are wanted are taken', async () => {
    expect(await judge({ has: { Count: 2, Charges: [{ Status: 'SUCCESS' }] } })).toBe('');
  });

  test.each<[string, Want]>([
    ['wanted status 400', { status: 400 }],
    ['wanted code 15', { code: 15 }],
    ['wanted {"Count":3}', { has: { Count: 3 } }],
    ['wanted {"Charges":[{"Status":"REFUND"}]}', { has: { Charges: [{ Status: 'REFUND' }] } }],
    ['wanted {"Charges":{"1":{}}}', { has: { Charges: { 1: {} } } }],
  ])('that are not are found: %s', async (says, want) => {
    expect(await judge(want)).toContain(`sk_test_a: GET /charge: ${says}; got 200 {"Count":2`);
  });
});

test.each([
  ['SUCCESS', [], true],
  ['SUCCESS', [5], false],
  ['PARTIAL_REFUND', [5, 5], true],
  ['PARTIAL_REFUND', [20], false],
  ['REFUND', [15, 5], true],
  ['REFUND', [15], false],
])('a charge of 20 that is %s with refunds of %j agrees with itself: %s', (Status, amounts, agrees) => {
  const Refunds = amounts.map((Amount) => ({ Amount }));
  const back = amounts.reduce((sum, amount) => sum + amount, 0);
  const dates = { SuccessDate: '2026-01-01T00:00:00.000Z', VoidDate: null };
  const charge = { Status, Amount: 20, AuthorisationAmount: null, RefundedAmount: back, Refunds, ...dates };
  expect(wrongMoney(charge) === null).toBe(agrees);
  expect(wrongMoney({ ...charge, RefundedAmount: back + 0.01 })).not.toBeNull();
});

test('findings of one kind are one line', () => {
  const findings = new Findings();
  for (let i = 0; i < 3; i++) findings.add(`charge ${i} is lost; got ${i}`);
  findings.add('another');
  expect([findings.count, findings.text()]).toEqual([4, '- 3 times: charge 0 is lost; got 0\n- another\n']);
});
