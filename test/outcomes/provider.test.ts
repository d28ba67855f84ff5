import { describe, expect, test } from 'vitest';
import { parseOverride } from '../../src/outcomes/header.js';
import { decideAnswer } from '../../src/outcomes/provider.js';
import { AMOUNTS, DOWN, FLAKY, NO_CAPTURE, SLOW, WHOLE_CAPTURE } from '../support/bodies.js';
import { words } from '../support/tables.js';
import { call, OPERATIONS, providerState } from './support.js';

describe('who decides an outcome', () => {
  const header = parseOverride('lost_card');
  const trigger = 'card:4000000000009995';

  test('is the header before the magic card and the provider', () => {
    const answer = decideAnswer(call({ override: header, trigger, providerId: DOWN }), providerState());
    expect(answer).toMatchObject({ outcome: { name: 'lost_card' }, trigger: 'header:lost_card' });
  });

  test('is the magic card before the provider', () => {
    const answer = decideAnswer(call({ trigger, providerId: DOWN }), providerState());
    expect(answer).toMatchObject({ outcome: { name: 'insufficient_funds' }, trigger });
  });

  test('is the magic token before the amount', () => {
    const magic = call({ trigger: 'token:tok_lost_card', providerId: AMOUNTS, amountMinor: 1051 });
    expect(decideAnswer(magic, providerState()).outcome.name).toBe('lost_card');
  });

  test('is the provider where the magic card is silent', () => {
    const capture = call({ trigger: 'card:4000000000000101', operation: 'charge.capture', providerId: DOWN });
    expect(decideAnswer(capture, providerState())).toMatchObject({
      outcome: { name: 'provider_unavailable' },
      trigger: 'provider:down',
    });
  });

  test('is the magic card for storage, even at a provider that is down', () => {
    const store = call({ trigger, operation: 'card.store', providerId: DOWN });
    expect(decideAnswer(store, providerState()).outcome.name).toBe('approve');
  });

  test('is nobody for an ordinary card at an ordinary provider', () => {
    expect(decideAnswer(call(), providerState())).toEqual({
      outcome: expect.objectContaining({ name: 'approve' }),
      trigger: null,
      ccvCheck: true,
      latencyMs: 0,
      delayMs: 0,
      hangUp: false,
      timedOut: false,
    });
  });

  test('is nobody at a provider that nobody configured', () => {
    const answer = decideAnswer(call({ providerId: 'a26c371f94f640daadd228ec8e9da8ed' }), providerState());
    expect(answer).toMatchObject({ outcome: { name: 'approve' }, trigger: null });
  });
});

describe('the header', () => {
  test.each(OPERATIONS)('acts on %s', (operation) => {
    const asked = call({ operation, override: parseOverride('retry_later') });
    expect(decideAnswer(asked, providerState()).outcome.name).toBe('retry_later');
  });

  test('uses no state, so that parallel tests cannot meet', () => {
    const state = providerState();
    const override = parseOverride('approve, delay=2s');
    decideAnswer(call({ override, providerId: FLAKY }), state);
    decideAnswer(call({ override, providerId: SLOW }), state);
    decideAnswer(call({ override, trigger: 'card:4000000000002222' }), state);
    expect(state.asked).toEqual([]);
  });

  test("asks for a delay that is not the provider's own latency", () => {
    const answer = decideAnswer(call({ override: parseOverride('approve, delay=2s') }), providerState());
    expect(answer).toMatchObject({ delayMs: 2000, latencyMs: 0 });
  });

  test('that approves takes away all that the card would have done', () => {
    const override = parseOverride('approve');
    for (const trigger of ['card:4000000000004087', 'card:4000000000000101']) {
      expect(decideAnswer(call({ override, trigger }), providerState())).toMatchObject({
        outcome: { name: 'approve' },
        hangUp: false,
        ccvCheck: true,
      });
    }
  });
});

describe('a gateway time-out', () => {
  test.each([
    ['a header', call({ override: parseOverride('gateway_timeout') })],
    ['a card', call({ trigger: 'card:4000000000005043' })],
    ['a token', call({ trigger: 'token:tok_gateway_timeout' })],
    ['a card at the slow provider', call({ trigger: 'card:4000000000005043', providerId: SLOW })],
  ])('comes after three seconds when %s asks for it', (_, asked) => {
    expect(decideAnswer(asked, providerState())).toMatchObject({
      outcome: { code: 80 },
      latencyMs: 3000,
      delayMs: 0,
    });
  });

  test.each([
    ['gateway_timeout', 'approve', true],
    ['do_not_honor', 'do_not_honor', false],
  ])('alone leaves done what was asked for: %s', (name, stored, timedOut) => {
    const override = { ...parseOverride(name), isDone: true };
    expect(decideAnswer(call({ override }), providerState())).toMatchObject({
      outcome: { name: stored },
      timedOut,
    });
  });

  test('adds the delay of the header to its own wait', () => {
    const asked = call({ override: parseOverride('gateway_timeout, delay=2s') });
    expect(decideAnswer(asked, providerState())).toMatchObject({ latencyMs: 3000, delayMs: 2000 });
  });
});

describe('the provider amounts', () => {
  test.each([
    [1000, 'approve', null],
    [1005, 'do_not_honor', 'amount:10.05'],
    [51, 'insufficient_funds', 'amount:0.51'],
    [1050, 'approve', null],
  ])('answers %i minor units with %s', (amountMinor, name, trigger) => {
    const answer = decideAnswer(call({ providerId: AMOUNTS, amountMinor }), providerState());
    expect([answer.outcome.name, answer.trigger]).toEqual([name, trigger]);
  });

  test.each(OPERATIONS.slice(1))('approves a %s of any amount', (operation) => {
    const asked = call({ providerId: AMOUNTS, amountMinor: 1051, operation });
    expect(decideAnswer(asked, providerState()).outcome.name).toBe('approve');
  });

  test('approves in a currency without two decimals', () => {
    const yen = call({ providerId: AMOUNTS, amountMinor: 1051, currency: 'JPY' });
    expect(decideAnswer(yen, providerState()).outcome.name).toBe('approve');
  });

  test('is known by its hyphenated id too', () => {
    const asked = call({ providerId: '00000000-0000-0000-0000-000000000002', amountMinor: 1051 });
    expect(decideAnswer(asked, providerState()).outcome.name).toBe('insufficient_funds');
  });
});

describe('the provider slow', () => {
  function latencies(seed: number, count: number, trigger: string | null = null): number[] {
    const state = providerState(seed);
    return Array.from(
      { length: count },
      () => decideAnswer(call({ providerId: SLOW, trigger }), state).latencyMs,
    );
  }

  test('approves after a lognormal latency with a median of 800 ms', () => {
    const sorted = latencies(1, 10_001).sort((a, b) => a - b);
    expect(sorted[5000]).toBeGreaterThan(780);
    expect(sorted[5000]).toBeLessThan(820);
    // One sigma to each side: 800 / e^0.5 and 800 × e^0.5.
    expect(sorted[1587]).toBeGreaterThan(460);
    expect(sorted[1587]).toBeLessThan(510);
    expect(sorted[8413]).toBeGreaterThan(1270);
    expect(sorted[8413]).toBeLessThan(1370);
  });

  test('says that it was slow', () => {
    expect(decideAnswer(call({ providerId: SLOW }), providerState())).toMatchObject({
      outcome: { name: 'approve' },
      trigger: 'provider:slow',
    });
  });

  test('draws twice for each latency, under a name of its own', () => {
    const state = providerState();
    decideAnswer(call({ providerId: SLOW }), state);
    expect(state.asked).toEqual(['provider:slow', 'provider:slow']);
  });

  test('takes its time over a magic card as well', () => {
    expect(latencies(7, 20, 'card:4000000000009995')).toEqual(latencies(7, 20));
  });
});

describe('the provider flaky', () => {
  test('fails every third call, whatever the operation', () => {
    const state = providerState();
    const names = OPERATIONS.map(
      (operation) => decideAnswer(call({ providerId: FLAKY, operation }), state).outcome.name,
    );
    expect(names).toEqual(words`
      approve approve provider_unavailable approve approve provider_unavailable
    `);
  });

  test('counts under a name of its own', () => {
    const state = providerState();
    decideAnswer(call({ providerId: FLAKY }), state);
    expect(state.asked).toEqual(['provider:flaky']);
  });

  test('is named in the answer that fails, and in no other', () => {
    const state = providerState();
    const triggers = Array.from(
      { length: 3 },
      () => decideAnswer(call({ providerId: FLAKY }), state).trigger,
    );
    expect(triggers).toEqual([null, null, 'provider:flaky']);
  });
});

describe('the other built-in providers', () => {
  test.each(OPERATIONS)('down fails at %s', (operation) => {
    expect(decideAnswer(call({ providerId: DOWN, operation }), providerState())).toMatchObject({
      outcome: { name: 'provider_unavailable' },
      trigger: 'provider:down',
    });
  });

  test.each([NO_CAPTURE, WHOLE_CAPTURE])('%s approves the operations that it supports', (providerId) => {
    const answer = decideAnswer(call({ providerId }), providerState());
    expect(answer).toMatchObject({ outcome: { name: 'approve' }, trigger: null });
  });
});

describe('the common approval', () => {
  test('is one shared, frozen answer', () => {
    const state = providerState();
    const answer = decideAnswer(call(), state);
    expect(decideAnswer(call({ operation: 'card.store' }), state)).toBe(answer);
    expect(decideAnswer(call({ providerId: AMOUNTS }), state)).toBe(answer);
    expect(Object.isFrozen(answer)).toBe(true);
    expect(state.asked).toEqual([]);
  });
});
