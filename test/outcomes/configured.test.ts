import { describe, expect, test } from 'vitest';

import { ALL_FEATURES, type ConfiguredProvider, type ProviderBehaviour } from '../../src/records/provider.js';
import { drawConfiguredOutcome, providerTrigger } from '../../src/outcomes/configured.js';
import type { ProviderOperation } from '../../src/outcomes/magic.js';
import { decideAnswer } from '../../src/outcomes/provider.js';
import { parseOverride } from '../../src/outcomes/header.js';
import { call, providerState } from './support.js';

function provider(
  behaviour: Partial<ProviderBehaviour> = {},
  more: Partial<ConfiguredProvider> = {},
): ConfiguredProvider {
  return {
    id: '',
    index: 4,
    providerId: '1'.repeat(32),
    type: 'dummy',
    name: 'primary',
    environment: 'SANDBOX',
    currency: 'AUD',
    authenticationParameters: {},
    additionalParameters: {},
    country: null,
    threeDsProviderId: null,
    fallbackProviderId: null,
    costs: [],
    behaviour: { latency: null, outcomes: [], fails: null, features: ALL_FEATURES, ...behaviour },
    dateAdded: 0,
    dateRemoved: null,
    scripted: true,
    ...more,
  };
}

/** The name of the outcome into which a number in [0, 1) falls. */
const fallen = (drawn: number, ...outcomes: [outcome: string, weight: number][]): string =>
  drawConfiguredOutcome(
    provider({ outcomes: outcomes.map(([outcome, weight]) => ({ outcome, weight })) }),
    'charge.create',
    { next: () => 0, draw: () => drawn },
  ).name;

describe('shares of outcomes', () => {
  test.each([
    [0, 'approve'],
    [0.74, 'approve'],
    [0.75, 'lost_card'],
    [0.999, 'lost_card'],
  ])('are met by %d', (drawn, name) => {
    expect(fallen(drawn, ['approve', 3], ['lost_card', 1])).toBe(name);
  });

  test('of nothing are never met', () => {
    expect(fallen(0, ['lost_card', 0], ['approve', 1])).toBe('approve');
  });

  test('leave nothing over, though sums of fractions are not exact', () => {
    const tenths = Array.from({ length: 10 }, (): [string, number] => ['approve', 0.1]);
    expect(fallen(1 - 2 ** -53, ...tenths.slice(0, 9), ['lost_card', 0.1])).toBe('lost_card');
    const three: [string, number][] = [
      ['approve', 0.1],
      ['stolen_card', 0.2],
      ['lost_card', 0.3],
    ];
    expect(fallen(1 - 2 ** -53, ...three)).toBe('lost_card');
    expect(fallen(1 - 2 ** -53, ...three, ['expired_card', 0])).toBe('lost_card');
  });

  test.each([
    [0.1, 'approve'],
    [0.2, 'stolen_card'],
    [0.5, 'stolen_card'],
    [0.6, 'lost_card'],
    [0.99, 'lost_card'],
  ])('lie one behind the other: %d of 2 : 4 : 4 is %s', (drawn, name) => {
    expect(fallen(drawn, ['approve', 2], ['stolen_card', 4], ['lost_card', 4])).toBe(name);
  });

  test('are met by charges alone', () => {
    const configured = provider({ outcomes: [{ outcome: 'lost_card', weight: 1 }] });
    const state = providerState();
    expect(drawConfiguredOutcome(configured, 'charge.create', state).name).toBe('lost_card');
    for (const operation of ['charge.capture', 'charge.refund', 'card.store'] as const)
      expect(drawConfiguredOutcome(configured, operation, state).name).toBe('approve');
  });
});

describe('a configured provider', () => {
  test('counts and draws under a name of its own', () => {
    const state = providerState();
    const configured = provider({
      latency: { kind: 'uniform', minMs: 1, maxMs: 2 },
      outcomes: [{ outcome: 'lost_card', weight: 1 }],
      fails: { every: 2, outcome: 'retry_later' },
    });
    decideAnswer(call({ configured }), state);
    expect(state.asked).toEqual(['provider:4 calls', 'provider:4 outcome', 'provider:4 latency']);
  });

  test('fails every n-th call, of whatever operation, and the others have their rates', () => {
    const state = providerState();
    const configured = provider({
      outcomes: [{ outcome: 'lost_card', weight: 1 }],
      fails: { every: 3, outcome: 'retry_later' },
    });
    const operations: ProviderOperation[] = ['charge.create', 'charge.refund', 'card.store', 'charge.create'];
    const names = [...operations, ...operations].map(
      (operation) => decideAnswer(call({ configured, operation }), state).outcome.name,
    );
    const [decline, fail, approve] = ['lost_card', 'retry_later', 'approve'];
    expect(names).toEqual([decline, approve, fail, decline, decline, fail, approve, decline]);
  });

  test('takes its time, and is named as what took it', () => {
    const configured = provider({ latency: { kind: 'fixed', ms: 250 } });
    expect(decideAnswer(call({ configured }), providerState())).toMatchObject({
      outcome: { name: 'approve' },
      trigger: 'provider:primary',
      latencyMs: 250,
    });
  });

  test('takes its time over a decline and over a magic card as well, and no less than a time-out takes', () => {
    const latency = { kind: 'fixed', ms: 250 } as const;
    const declining = provider({ latency, outcomes: [{ outcome: 'lost_card', weight: 1 }] });
    const late = provider({ latency, outcomes: [{ outcome: 'gateway_timeout', weight: 1 }] });
    const magic = call({
      configured: declining,
      providerId: '00000000000000000000000000000003',
      trigger: 'card:4000000000009995',
    });
    const [declined, timedOut, ofCard] = [
      call({ configured: declining }),
      call({ configured: late }),
      magic,
    ].map((asked) => decideAnswer(asked, providerState()));
    expect(declined).toMatchObject({ outcome: { name: 'lost_card' }, latencyMs: 250 });
    expect(timedOut).toMatchObject({ outcome: { name: 'gateway_timeout' }, latencyMs: 3000 });
    expect(ofCard).toMatchObject({ outcome: { name: 'insufficient_funds' }, latencyMs: 250 });
  });

  test('asks nothing of the world where it has no behaviour', () => {
    const state = providerState();
    expect(decideAnswer(call({ configured: provider() }), state)).toMatchObject({
      trigger: null,
      latencyMs: 0,
    });
    expect(state.asked).toEqual([]);
  });

  test('overrides the built-in provider with its identifier, and is overridden by the header', () => {
    const configured = provider({ outcomes: [{ outcome: 'lost_card', weight: 1 }] });
    const down = call({ configured, providerId: '00000000000000000000000000000005' });
    expect(decideAnswer(down, providerState()).outcome.name).toBe('lost_card');
    const asked = call({ configured, override: parseOverride('stolen_card') });
    expect(decideAnswer(asked, providerState()).outcome.name).toBe('stolen_card');
  });

  test.each([
    [true, 'primary', 'provider:primary'],
    [true, 'Zürich', `provider:${'1'.repeat(32)}`],
    [true, 'two\nlines', `provider:${'1'.repeat(32)}`],
    [false, 'primary', `provider:${'1'.repeat(32)}`],
  ])('is named in a header where its name may stand there (scripted: %s, %j)', (scripted, name, trigger) => {
    expect(providerTrigger(provider({}, { scripted, name }))).toBe(trigger);
  });
});
