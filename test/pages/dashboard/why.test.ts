import { describe, expect, test } from 'vitest';

import { toPlainText } from '../../../src/pages/dashboard/text/sentence.js';
import { buildLadder, findProviderName, whyCall } from '../../../src/pages/dashboard/text/why.js';
import type { FullCall } from '../../../src/pages/dashboard/state/wire.js';
import { type Client, client, testSandbox } from '../../support/sandbox.js';
import { cardOf, DOWN, STEADY, storing } from '../../support/stored.js';
import { callOf, hotel, knownOf } from './look.js';

interface Case {
  readonly name: string;
  readonly prepare?: (api: Client) => Promise<unknown>;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly why: string;
  /** The number of the step that decided, from 1. */
  readonly step: number;
}

const CASES: readonly Case[] = [
  {
    name: 'a header',
    headers: { 'x-sandbox-outcome': 'lost_card' },
    why: 'The request asked for lost_card by the header x-sandbox-outcome.',
    step: 1,
  },
  {
    name: 'a queued outcome',
    prepare: (api) => api.queue('charge.create', ['stolen_card']),
    why: 'An outcome of queue 1 answered stolen_card.',
    step: 2,
  },
  {
    name: 'a timeline',
    prepare: (api) => api.play({ name: 'x', timeline: [{ at: '+0s', do: { providerDown: 'steady' } }] }),
    why: 'The timeline of the scenario took the provider steady down.',
    step: 3,
  },
  {
    name: 'a rule',
    prepare: (api) => api.play({ name: 'x', rules: [{ name: 'all', then: { outcome: 'card_blocked' } }] }),
    why: 'The rule all of the scenario x answered card_blocked.',
    step: 4,
  },
  {
    name: 'a test card',
    body: { PaymentInformation: cardOf('4000000000000002') },
    why: 'The test card 4000000000000002 answered do_not_honor.',
    step: 5,
  },
  {
    name: 'a provider',
    body: { ProviderId: DOWN },
    why: 'The provider down answered provider_unavailable.',
    step: 6,
  },
  { name: 'nothing', why: 'Approved: nothing said otherwise.', step: 7 },
];

describe('The ladder and the sentence name what decided:', () => {
  test.each(CASES)('$name', async ({ prepare, body, headers, why, step }) => {
    const api = client(testSandbox());
    await prepare?.(api);
    await api.advance('1ms');
    await api.charge(storing({ Amount: 20, ...body }), headers);
    const [known, call] = [await knownOf(api), await callOf(api, 1)];
    expect(toPlainText(whyCall(call, known))).toBe(why);
    const rungs = buildLadder(call, findProviderName(call, known), known);
    expect(rungs.map(({ title }) => title)).toEqual(known.triggers?.Precedence);
    expect(rungs.map(({ place }) => place)).toEqual(
      rungs.map((_, n) => (n + 1 < step ? 'before' : n + 1 === step ? 'decided' : 'after')),
    );
  });
});

test('The ladder says why the steps before did not decide, and what the rule waits for.', async () => {
  const { api } = await hotel();
  const { Entries } = (await api.read('/_sandbox/journal?Result=declined')) as { Entries: FullCall[] };
  const [call] = Entries;
  if (call === undefined) throw new Error('No call was declined.');
  const rungs = buildLadder(call, 'steady', await knownOf(api));
  expect(
    rungs.map(({ name, verdict: said, note }) => [name, said, note].filter(Boolean).join(' | ')),
  ).toEqual([
    'Header x-sandbox-outcome | not sent',
    'Queued outcome | none for captures',
    'Outage in the scenario | provider "steady" is up',
    'Rule of the scenario | decided | every third: operation charge.capture, every 3. It has matched once.',
    'Test card or token | not asked',
    'Behaviour of steady | not asked',
    'Approve | not asked',
  ]);
});

test('A call that asks no provider has no ladder.', async () => {
  const api = client(testSandbox());
  await api.charge({ ProviderId: STEADY });
  const [known, call] = [await knownOf(api), await callOf(api, 1)];
  expect(buildLadder(call, 'steady', known)).toEqual([]);
  expect(toPlainText(whyCall(call, known))).toMatch(/^The service refused the call\. Validation Error/);
});

test.each([
  [
    { 'x-sandbox-fault': 'reset; phase=after' },
    ['Approve', false],
    'the charge was made, its answer was lost.',
  ],
  [
    { 'x-sandbox-fault': 'malformed; phase=after' },
    ['Approve', false],
    'the charge was made, its answer was replaced.',
  ],
])(
  'A fault %j has a rung of its own; what decided the charge is not to blame.',
  async (headers, decided, end) => {
    const api = client(testSandbox());
    await api.charge(storing({ Amount: 20 }), headers).catch(() => null);
    const [known, call] = [await knownOf(api), await callOf(api, 1)];
    const rungs = buildLadder(call, 'steady', known).filter(({ place }) => place === 'decided');
    expect(rungs.map(({ name, isBad }) => [name, isBad])).toEqual([decided, ['Fault', true]]);
    expect(toPlainText(whyCall(call, known))).toContain(end);
  },
);

test('A fault before the charge is the only rung: nothing decided.', async () => {
  const api = client(testSandbox());
  await api.charge(storing({ Amount: 20 }), { 'x-sandbox-fault': 'reset' }).catch(() => null);
  const [known, call] = [await knownOf(api), await callOf(api, 1)];
  expect(buildLadder(call, 'steady', known).map(({ name }) => name)).toEqual(['Fault']);
  expect(toPlainText(whyCall(call, known))).toBe('The request asked for a cut connection: nothing was done.');
});

test('A decline is marked as what failed.', async () => {
  const api = client(testSandbox());
  await api.charge(storing({ Amount: 20, PaymentInformation: cardOf('4000000000009995') }));
  const rungs = buildLadder(await callOf(api, 1), 'steady', await knownOf(api));
  expect(rungs.filter(({ isBad }) => isBad).map(({ name }) => name)).toEqual(['Test card or token']);
});
