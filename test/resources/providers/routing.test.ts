import { describe, expect } from 'vitest';

import { SAMPLED_CHARGES_MAX, SAMPLES_MIN } from '../../../src/resources/providers/routing.js';
import { cardOf, NO_FUNDS, STEADY } from '../../support/bodies.js';
import { asking, type Answer, type Client, good } from '../../support/sandbox.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';
import { cardCharge } from '../charges/support.js';

const IDS = { cheap: 'c'.repeat(32), good: 'd'.repeat(32) } as const;
type Name = keyof typeof IDS;

/** Plays two providers, one for half the price of the other. */
const play = (api: Client, routing: object | undefined, more: Partial<Record<Name, object>> = {}) =>
  good(
    api.play({
      name: 'routing',
      providers: [
        { name: 'good', providerId: IDS.good, costs: { fixed: 2 }, ...more.good },
        { name: 'cheap', providerId: IDS.cheap, costs: { fixed: 1 }, ...more.cheap },
      ],
      ...(routing && { routing }),
    }),
  );

const route = (api: Client, more: object = {}): Promise<Answer> =>
  api.post('/charge/card/least_cost', { Amount: 10, PaymentInformation: cardOf(), ...more });

/** The names of the providers that take some charges. */
async function chosen(api: Client, count = 1, more: object = {}): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < count; i++)
    names.push(((await good(route(api, more))).body['Provider'] as { Name: string }).Name);
  return names;
}

/** Charges a provider so often; the last ones are declined. */
async function sample(api: Client, name: Name, count: number, declined = 0): Promise<void> {
  for (let i = 0; i < count; i++) {
    const headers = i < count - declined ? {} : asking('do_not_honor');
    await api.post('/charge/card', cardCharge({ ProviderId: IDS[name] }), headers);
  }
}

describe('a call without ProviderId goes to', () => {
  test.for<[what: string, routing: object | undefined, name: string]>([
    ['the cheapest provider by default', undefined, 'cheap'],
    ['the cheapest provider with the mode lowestCost', { mode: 'lowestCost' }, 'cheap'],
    ['the first provider with the mode off', { mode: 'off' }, 'good'],
  ])('%s', async ([, routing, name], { api }) => {
    await play(api, routing);
    expect(await chosen(api)).toEqual([name]);
  });

  test.for<[weight: number | undefined, cheapDeclines: number, name: string]>([
    // Scores of cheap and good: the rates 0.5 and 1 with the costs 1 and 0.5.
    [0, 25, 'cheap'],
    [0.4, 25, 'cheap'],
    [0.6, 25, 'good'],
    [1, 25, 'good'],
    [1, 1, 'good'],
    // 0.5 × 0.48 + 0.5 is less than 0.5 + 0.25.
    [undefined, 26, 'good'],
    [undefined, 24, 'cheap'],
    [1, 0, 'good'],
  ])(
    'the best score: weight %s, %i of 50 declined by the cheap one',
    async ([weight, declines, name], { api }) => {
      await play(api, { mode: 'success', weight });
      await sample(api, 'cheap', SAMPLES_MIN, declines);
      await sample(api, 'good', SAMPLES_MIN);
      expect(await chosen(api, 3)).toEqual([name, name, name]);
    },
  );

  test('each provider until all have 50 charges, in an order that is drawn from the seed', async () => {
    const orders: string[] = [];
    for (const seed of ['a', 'a', 'b']) {
      const { api } = setup({ seed });
      await play(api, { mode: 'success', weight: 0 });
      const names = await chosen(api, 2 * SAMPLES_MIN + 10);
      const explored = names.slice(0, 2 * SAMPLES_MIN);
      expect(explored.filter((name) => name === 'cheap')).toHaveLength(SAMPLES_MIN);
      expect(new Set(names.slice(2 * SAMPLES_MIN))).toEqual(new Set(['cheap']));
      orders.push(names.join(' '));
    }
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
  });

  test('a provider that can authorise, in every mode', async ({ api }) => {
    for (const mode of ['off', 'lowestCost', 'success']) {
      await play(api, { mode }, { good: { features: { authorise: false } } });
      expect(await chosen(api, 1, { Capture: false })).toEqual(['cheap']);
      await play(api, { mode }, { cheap: { features: { authorise: false } } });
      expect(await chosen(api, 1, { Capture: false })).toEqual(['good']);
    }
  });

  test('steady if no provider is configured, in every mode', async ({ api }) => {
    for (const mode of ['off', 'lowestCost', 'success']) {
      await good(api.play({ name: 'nobody', routing: { mode } }));
      expect((await good(route(api))).body).toMatchObject({ ProviderId: STEADY });
    }
  });

  test('the same provider for a token', async ({ api }) => {
    await play(api, { mode: 'off' });
    const body = { Amount: 10, Currency: 'AUD', PaymentInformation: cardOf() };
    expect((await good(api.post('/token/card/least_cost', body))).body).toMatchObject({
      ProviderId: IDS.good,
    });
  });
});

describe('routing by success', () => {
  test('counts a charge that went on elsewhere against the provider that did not take it', async ({
    api,
  }) => {
    await play(api, { mode: 'success', weight: 1 }, { good: { fails: { every: 1 }, fallback: 'cheap' } });
    await sample(api, 'good', SAMPLES_MIN);
    expect(await chosen(api)).toEqual(['cheap']);
  });

  test('counts the latest charges only', async ({ api, world }) => {
    await play(api, { mode: 'success', weight: 1 });
    await sample(api, 'cheap', SAMPLES_MIN, SAMPLES_MIN);
    await sample(api, 'good', SAMPLES_MIN, 1);
    expect(await chosen(api)).toEqual(['good']);
    await sample(api, 'good', SAMPLED_CHARGES_MAX - SAMPLES_MIN);
    expect(world.charges.size).toBeGreaterThan(SAMPLED_CHARGES_MAX);
    // The cheap one has too few charges left.
    expect(await chosen(api)).toEqual(['cheap']);
  });

  test('has no cost where no fee is known, and then counts only approvals', async ({ api }) => {
    await play(
      api,
      { mode: 'success', weight: 0.1 },
      { good: { costs: undefined }, cheap: { costs: undefined } },
    );
    await sample(api, 'cheap', SAMPLES_MIN, 1);
    await sample(api, 'good', SAMPLES_MIN);
    expect(await chosen(api)).toEqual(['good']);
  });

  test('goes on at the fallback of the provider that it chose', async ({ api }) => {
    await play(api, { mode: 'off' }, { good: { fails: { every: 1 }, fallback: 'cheap' } });
    expect(await chosen(api)).toEqual(['cheap']);
  });
});

describe('the charge says', () => {
  const why = async (api: Client, answer: Answer): Promise<unknown> => {
    const { Decisions } = await api.read(`/_sandbox/records/charges/${textIn(answer, 'ChargeId')}`);
    return (Decisions as { Precedence: string; Trigger: string }[]).map(({ Trigger }) => Trigger);
  };

  test('how its provider was chosen', async ({ api }) => {
    const found: unknown[] = [];
    for (const routing of [undefined, { mode: 'off' }, { mode: 'success', weight: 1 }]) {
      await play(api, routing);
      found.push(await why(api, await good(route(api))));
    }
    await sample(api, 'cheap', SAMPLES_MIN, 25);
    await sample(api, 'good', SAMPLES_MIN);
    found.push(await why(api, await good(route(api))));
    expect(found).toEqual([
      ['routing:lowestCost'],
      ['routing:off'],
      ['routing:success, too few charges'],
      ['routing:success, score 1.00'],
    ]);
  });

  test('also what decided about it', async ({ api }) => {
    await play(api, undefined);
    const answer = await route(api, { PaymentInformation: cardOf(NO_FUNDS) });
    expectRefused(answer, 400, 15);
    expect(await why(api, answer)).toEqual(['routing:lowestCost', `card:${NO_FUNDS}`]);
  });

  test('nothing where nothing was chosen', async ({ api }) => {
    expect(await why(api, await good(route(api)))).toEqual([]);
    await play(api, { mode: 'off' });
    expect(await why(api, await good(api.charge(cardCharge())))).toEqual([]);
  });
});

describe('a scenario refuses', () => {
  test.for<[routing: object, message: string]>([
    [{ mode: 'best' }, 'mode must be off, lowestCost or success, not "best"'],
    [{ mode: 'success', weight: 2 }, 'weight must be a number from 0 to 1, not 2'],
    [{ mode: 'off', weight: 1 }, 'weight has no effect with the mode off; use success'],
    [{ weight: 1 }, 'mode is required'],
  ])('%j', async ([routing, message], { api }) => {
    const answer = await api.play({ name: 'wrong', routing });
    expect(answer.status).toBe(400);
    expect(answer.text.replaceAll('\\"', '"')).toContain(message);
  });
});
