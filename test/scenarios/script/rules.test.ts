import { describe, expect, test } from 'vitest';

import { drawAt, hashText } from '../../../src/core/ids/random.js';
import { compileConditions } from '../../../src/scenarios/script/conditions.js';
import type { CallFacts } from '../../../src/scenarios/script/model.js';
import { cells } from '../../support/tables.js';
import { call, play } from '../support.js';

/** Whether a rule with this condition acts on a call. */
async function acts(condition: string, more: Partial<CallFacts> = {}): Promise<boolean> {
  const { decide } = await play(`  - when: {${condition}}\n    then: {outcome: do_not_honor}\n`);
  return decide(more) !== null;
}

const headers = (all: Record<string, string>): CallFacts['header'] => {
  return (name) => all[name.toLowerCase()];
};

describe('conditions', () => {
  test.each<[string, Partial<CallFacts>]>([
    ...cells`
      operation: charge.create|operation: [charge.void, charge.create]|provider: steady|
      provider: '00000000000000000000000000000001'|provider: '*1'|card: 4111111111111111|
      card: 4111 1111 1111 1111|card: 4*|card: [5*, 41??11*]|card: 4111111111111000-4111111111111111|
      card: 4111111111111111-4111111111111111|card: 4111 1111 1111 0000 - 4111 1111 1111 9999|
      card: [5*, 411110-411111]|amount: 20|amount: '20.00'|amount: [10, 20]|amount: {gte: 20}|
      amount: {lte: 20, gt: 19.99}|currency: AUD|currency: [USD, A?D]|reference: order-*|reference: '*7*'|
      currency: aud|currency: [usd, a?d]|state: {never: null}
    `.map((condition): [string, object] => [condition, {}]),
    ['', {}],
    ['operation: charge.*', { operation: 'charge.refund' }],
    ['provider: 00000000-0000-0000-0000-00000000000A', { providerId: '0000000000000000000000000000000a' }],
    ['card: 4111111111111111', { cardNumber: '4111********1111' }],
    ['card: 400000-419999', { cardNumber: '4111********1111' }],
    ['card: 4111111111111111-4111111111111111', { cardNumber: '4111********1111' }],
    ['card: 4110999999991111-4111000000001110', { cardNumber: '4110********1111' }],
    ['card: 4110999999991112-4111000000001111', { cardNumber: '4111********1111' }],
    ['card: 411199-411200', { cardNumber: '4111********1111' }],
    ['amount: {gt: 100}', { amount: '100.01' }],
    ["reference: '*'", { reference: '' }],
    [`customer: ${'c'.repeat(32)}`, { customerId: 'c'.repeat(32) }],
    ['header: {user-agent: acme*}', { header: headers({ 'user-agent': 'acme/1.0' }) }],
    ['header: {X-Retry: [one, two]}', { header: headers({ 'x-retry': 'two' }) }],
  ])('{%s} holds for %j', async (condition, more) => {
    expect(await acts(condition, more)).toBe(true);
  });

  test.each<[string, Partial<CallFacts>]>([
    ...cells`
      operation: charge.void|provider: slow|card: 4242424242424242|card: 5*|
      card: 4111111111111112-4111111111111139|card: 4000000000000000-4111111111111110|card: 411112-499999|
      card: 41111111111111110-41111111111111119|amount: 20.01|amount: {gt: 20}|amount: {lt: 20}|
      currency: nzd|reference: order|header: {user-agent: acme*}|currency: AUD, amount: 21
    `.map((condition): [string, object] => [condition, {}]),
    ['operation: charge.*', { operation: 'batch.row' }],
    ['provider: steady', { providerId: null }],
    ['card: 4111111111111111', { cardNumber: null }],
    ['card: 4012888888881881', { cardNumber: '4111********1111' }],
    ['card: 378282246310005', { cardNumber: '4111********1111' }],
    ['card: 4111111111111000-4111111111111999', { cardNumber: null }],
    ['card: 4111111111111000-4111111111111999', { cardNumber: '41111111111110001' }],
    ['card: 4111111111111112-4111111111111999', { cardNumber: '4111********1111' }],
    ['card: 4111000000000000-4111000000001110', { cardNumber: '4111********1111' }],
    ['card: 4111999999991112-4112000000001110', { cardNumber: '4111********1111' }],
    ['card: 411200-499999', { cardNumber: '4111********1111' }],
    ['amount: {gt: 20}', { amount: null }],
    ['reference: order-?', { reference: 'order-77' }],
    ["reference: '*'", { reference: null }],
    [`customer: ${'c'.repeat(32)}`, {}],
  ])('{%s} does not hold for %j', async (condition, more) => {
    expect(await acts(condition, more)).toBe(false);
  });

  test('a range fits the mask of a stored card just if it holds one of the cards that the mask may stand for', () => {
    const stream = hashText('ranges');
    for (let round = 0; round < 100; round++) {
      const [one = 0, two = 0, three = 0] = [0, 1, 2].map((n) => drawAt(stream, 3 * round + n));
      const from = 410_990_000_000 + Math.floor(one * 120_000_000);
      const to = from + Math.floor(two ** 8 * 120_000_000);
      const tail = String(Math.floor(three * 10_000)).padStart(4, '0');
      const [holds] = compileConditions({ card: [`${from}-${to}`] });
      const cards = Array.from({ length: 10_000 }, (_, n) => 411_000_000_000 + n * 10_000 + Number(tail));
      const expected = cards.some((card) => card >= from && card <= to);
      expect(holds?.(call({ cardNumber: `4110****${tail}` })), `${tail} in ${from}-${to}`).toBe(expected);
    }
  });

  test('a glob against a hostile text costs no more than their lengths', async () => {
    const { decide } = await play(
      `  - when: {reference: '${'*a'.repeat(60)}*b'}\n    then: {nothing: true}\n`,
    );
    expect(decide({ reference: 'a'.repeat(20_000) })).toBeNull();
  });
});

describe('counts', () => {
  test.each([
    ['nth: 2', '- decline - - - - -'],
    ['nth: [1, 4]', 'decline - - decline - - -'],
    ['every: 3', '- - decline - - decline -'],
    ['after: 4', '- - - - decline decline decline'],
    ['after: 2, every: 2', '- - - decline - decline -'],
    ['after: 2, nth: 1', '- - decline - - - -'],
    ['currency: AUD', 'decline decline decline decline decline decline decline'],
  ])('of seven calls {%s} decides %s', async (condition, said) => {
    const { say } = await play(`  - when: {${condition}}\n    then: {outcome: do_not_honor}\n`);
    expect(say(7).replaceAll('do_not_honor', 'decline')).toBe(said);
  });

  test('only the calls that meet the other conditions are counted', async () => {
    const { say } = await play('  - when: {currency: USD, nth: 2}\n    then: {outcome: lost_card}\n');
    const said = [say(3), say(1, { currency: 'USD' }), say(3), say(1, { currency: 'USD' })];
    expect(said.join('|')).toBe('- - -|-|- - -|lost_card');
  });

  test('calls that an earlier rule decides are counted too, so that nth means the n-th call', async () => {
    const { say } = await play(
      '  - {when: {nth: 1}, then: {outcome: lost_card}}\n  - {when: {nth: 2}, then: {outcome: stolen_card}}\n',
    );
    expect(say(3)).toBe('lost_card stolen_card -');
  });

  test('times ends a rule, and the next rule has its turn', async () => {
    const { say } = await play(
      '  - {then: {outcome: lost_card}, times: 2}\n  - {when: {currency: AUD}, then: {fault: reset}}\n',
    );
    expect(say(4)).toBe('lost_card lost_card reset reset');
  });

  test('a rule that can do nothing to a call neither counts it nor keeps later rules away', async () => {
    const { say, script } = await play(`
  - {name: declines, when: {nth: 2}, then: {outcome: lost_card}}
  - {name: breaks, when: {after: 1, nth: 1}, then: {fault: reset}}
  - {name: stands, when: {operation: [charge.read, batch.row]}, then: {nothing: true}}
`);
    expect(say(3, { operation: 'charge.read' })).toBe('- reset -');
    expect(say(3, { operation: 'batch.row' })).toBe('- lost_card -');
    expect(script.matched().map(({ matched }) => matched)).toEqual([1, 1, 4]);
  });

  test('matched counts what each rule did, and unmatched names those that did nothing', async () => {
    const { say, script } = await play(
      '  - {name: first, then: {fault: empty}, times: 2}\n  - {when: {currency: USD}, then: {fault: reset}}\n',
    );
    say(5);
    expect(script.matched()).toEqual([
      { rule: 'first', matched: 2, kind: 'rule' },
      { rule: 'rule 2', matched: 0, kind: 'rule' },
    ]);
    expect(script.unmatched()).toEqual(['rule 2']);
  });
});

describe('counts of each customer or reference', () => {
  const customer = (customerId: string | null) => ({ customerId });
  const third = (more = '') => play(`  - when: {each: customer, ${more}}\n    then: {outcome: lost_card}\n`);

  test.each([
    ['nth: 2', '- lost_card - -', '- lost_card'],
    ['every: 2', '- lost_card - lost_card', '- lost_card'],
    ['after: 3', '- - - lost_card', '- -'],
  ])('{%s} does not count the calls of others', async (condition, ofOne, ofTheOther) => {
    const { say } = await third(condition);
    const [one, other] = [say(1, customer('c1')), say(1, customer('c2'))];
    expect([one, say(3, customer('c1'))].join(' ')).toBe(ofOne);
    expect([other, say(1, customer('c2'))].join(' ')).toBe(ofTheOther);
  });

  test('a call without a customer is not counted and does not match', async () => {
    const { say } = await third('nth: 1');
    expect([say(2, customer(null)), say(2, customer('c1'))]).toEqual(['- -', 'lost_card -']);
  });

  test('times limits the rule, not each customer', async () => {
    const { say } = await play(
      '  - {when: {each: reference, nth: 1}, then: {outcome: lost_card}, times: 2}\n',
    );
    const said = ['a', 'a', 'b', 'c'].map((reference) => say(1, { reference }));
    expect(said.join(' ')).toBe('lost_card - lost_card -');
  });

  test('at most 10,000 are counted; the one without a call for longest is counted anew', async () => {
    const { say, script } = await third('nth: 2');
    for (let n = 0; n < 10_000; n++) say(1, customer(`c${n}`));
    expect(say(1, customer('c0'))).toBe('lost_card');
    say(1, customer('one more'));
    expect(script.snapshot().rules[0]?.each).toHaveLength(10_000);
    expect(['c2', 'c1', 'c1'].map((id) => say(1, customer(id)))).toEqual(['lost_card', '-', 'lost_card']);
  });

  test('a restored script goes on counting, and forgets in the same order', async () => {
    const one = await third('nth: 3');
    for (const of of ['c1', 'c2', 'c1']) one.say(1, customer(of));
    const saved = one.script.snapshot();
    expect(one.say(1, customer('c1'))).toBe('lost_card');
    expect(saved.rules[0]?.each).toEqual([
      { of: 'c2', seen: 1 },
      { of: 'c1', seen: 2 },
    ]);
    const other = await third('nth: 3');
    other.script.restore(saved);
    expect([other.say(1, customer('c2')), other.say(1, customer('c1'))]).toEqual(['-', 'lost_card']);
  });
});

describe('effects', () => {
  test('the first rule that matches decides, and names itself', async () => {
    const { decide } = await play(
      '  - {name: big ones, when: {amount: {gt: 100}}, then: {outcome: limit_exceeded}}\n' +
        '  - {name: all, then: {fault: truncate, phase: after}}\n',
    );
    expect(decide({ amount: '101' })).toMatchObject({
      trigger: 'rule:big ones',
      fault: null,
      phase: 'before',
    });
    expect(decide()).toEqual({
      trigger: 'rule:all',
      outcome: null,
      fault: { kind: 'truncate' },
      delayMs: 0,
      advanceMs: 0,
      phase: 'after',
    });
  });

  test('nothing keeps later rules away', async () => {
    const { say } = await play(
      '  - {when: {reference: vip-*}, then: {nothing: true}}\n  - {then: {outcome: do_not_honor}}\n',
    );
    expect(say(1, { reference: 'vip-1' })).toBe('-');
    expect(say(1)).toBe('do_not_honor');
  });

  test('an answer of its own carries status, body and Retry-After', async () => {
    const { decide } = await play('  - then: {respond: {status: 503, body: {Oops: 1}, retryAfter: 7}}\n');
    const fault = { kind: 'status', status: 503, body: '{"Oops":1}', retryAfterSeconds: 7 };
    expect(decide()?.fault).toEqual(fault);
  });

  test('named state leads from rule to rule', async () => {
    const { say, script } = await play(`
  - {when: {operation: charge.create, state: {breaker: null}, nth: 2}, then: {state: {breaker: open}}}
  - {when: {operation: charge.create, state: {breaker: open}}, then: {outcome: provider_unavailable}}
  - {when: {operation: charge.void, state: {breaker: open}}, then: {state: {breaker: null, healed: 1}}}
`);
    expect(say(4)).toBe('- - provider_unavailable provider_unavailable');
    say(1, { operation: 'charge.void' });
    expect(say(1)).toBe('-');
    expect(script.state()).toEqual({ healed: 1 });
  });

  test('a quota lets a number of calls through in a window of virtual time, then answers 429', async () => {
    const { decide } = await play(
      '  - {then: {fault: {quota: 2, window: 1m}}}\n  - {then: {outcome: approve}}\n',
    );
    const at = (now: number): unknown => {
      const verdict = decide({ now });
      return verdict?.outcome?.name ?? verdict?.fault;
    };
    const after = (retryAfterSeconds: number) => ({
      kind: 'status',
      status: 429,
      body: null,
      retryAfterSeconds,
    });
    expect([1000, 2000, 3000, 60_500].map(at)).toEqual(['approve', 'approve', after(58), after(1)]);
    expect([at(61_000), at(61_000), at(61_000)]).toEqual(['approve', 'approve', after(60)]);
  });
});

describe('delays', () => {
  const delaysOf = async (delay: string, count: number, seed = '1'): Promise<number[]> => {
    const { decide } = await play(`  - then: {delay: ${delay}}\n`, seed);
    return Array.from({ length: count }, () => decide()?.delayMs ?? NaN);
  };

  test('a fixed delay is always as long', async () => {
    expect(await delaysOf('1.5s', 2)).toEqual([1500, 1500]);
  });

  test('a uniform delay stays between its bounds, in whole milliseconds', async () => {
    const delays = await delaysOf('{min: 100ms, max: 300ms}', 500);
    expect(delays.every((ms) => ms >= 100 && ms <= 300 && Number.isInteger(ms))).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  test('half of the lognormal delays are longer than the median, and none is longer than a minute', async () => {
    const delays = await delaysOf('{median: 800ms, sigma: 3}', 2000);
    const longer = delays.filter((ms) => ms > 800).length;
    expect(longer).toBeGreaterThan(900);
    expect(longer).toBeLessThan(1100);
    expect(Math.max(...delays)).toBe(60_000);
  });

  test('the same seed draws the same delays, another seed others', async () => {
    const once = await delaysOf('{median: 800ms, sigma: 0.5}', 20);
    expect(await delaysOf('{median: 800ms, sigma: 0.5}', 20)).toEqual(once);
    expect(await delaysOf('{median: 800ms, sigma: 0.5}', 20, '2')).not.toEqual(once);
  });
});
