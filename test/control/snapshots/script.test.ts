import { describe, expect, test } from 'vitest';

import { takeSnapshot } from '../../../src/world/snapshot.js';
import { type Answer, good } from '../../support/sandbox.js';
import { expectRefused, FLAKY, batchOf, textIn } from '../../support/stored.js';
import { type Call, record, type Recorded } from '../../support/trace.js';
import { changed, charge, KEY, setup, type Setup } from './support.js';

const STATE = '/_sandbox/state';
type Json = Record<string, unknown>;

const SCENARIO = {
  name: 'much at once',
  keys: [KEY, 'sk_test_secret'],
  rules: [
    { name: 'third', when: { operation: 'charge.create', every: 3 }, then: { outcome: 'do_not_honor' } },
    { when: { reference: 'hot-*', state: { open: true } }, then: { outcome: 'lost_card', delay: '40ms' } },
    { when: { reference: 'slow-*' }, then: { delay: { min: '100ms', max: '2s' }, state: { slow: 1 } } },
    { when: { reference: 'lost-*' }, then: { fault: 'reset', phase: 'after' }, times: 2 },
    { when: { card: '4539578763621486' }, then: { outcome: 'stolen_card' } },
    { when: { operation: 'charge.search' }, then: { fault: { quota: 2, window: '1m' } } },
    { when: { operation: 'batch.row', card: '4111*', nth: [2, 7] }, then: { outcome: 'expired_card' } },
    {
      when: { operation: 'charge.create', reference: 'lost-*', nth: 2, each: 'reference' },
      then: { outcome: 'lost_card' },
    },
  ],
  timeline: [
    { at: '+10s', do: { providerDown: 'flaky' } },
    { at: '+20s', do: { setState: { open: true } } },
    { at: '+1m', do: { providerUp: 'flaky' } },
  ],
  batches: { pace: '2s', failAt: 0.8 },
};

const QUEUES = [
  {
    Operation: 'charge.create',
    Outcomes: ['stolen_card', { Outcome: 'approve', Delay: '2s', Phase: 'after' }, 'issuer_unavailable'],
    Match: { Reference: 'queued-*', CardNumber: '4111111111111111', Amount: '15.5' },
  },
  {
    Operation: 'charge.void',
    Outcomes: [{ Fault: 'status', Status: 503 }, { Delay: { Median: '1s', Sigma: 1 } }],
  },
];

/** Plays the scenario until half of it is over: counted, taken down, queued, a batch under way. */
async function halfway({ api }: Setup): Promise<{ batchId: string; chargeId: string }> {
  const stored = await good(api.post('/payment_method/card', charge()));
  const held = await good(api.charge(charge({ Capture: false })));
  await good(api.play(SCENARIO));
  // Numbers of queues that are gone are not given again.
  await good(api.post('/_sandbox/outcomes', { ...QUEUES[1], Operation: 'charge.read' }));
  await good(api.del('/_sandbox/outcomes'));
  for (const queue of QUEUES) await good(api.post('/_sandbox/outcomes', queue));
  const rows = Array.from({ length: 20 }, (_, n) => `${textIn(stored, 'PaymentMethodId')},5,AUD,b${n}`);
  const batch = await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
  await api.charge(charge({ Reference: 'queued-1' }));
  for (const Reference of ['slow-1', 'plain-1']) await api.charge(charge({ Reference }));
  await expect(api.charge(charge({ Reference: 'lost-1' }))).rejects.toThrow(TypeError);
  await api.get('/charge');
  await api.advance('12s');
  return { batchId: textIn(batch, 'BatchId'), chargeId: textIn(held, 'ChargeId') };
}

/** What a world answers from there on, with all that the script has a part in. */
async function goOn(one: Setup, { batchId, chargeId }: { batchId: string; chargeId: string }) {
  const before = one.sandbox.host.slept.length;
  const recorded: Recorded[] = [];
  const send = async (method: Call['method'], path: string, body?: object): Promise<void> => {
    recorded.push(await record(one.sandbox.fetch, 'http://localhost', KEY, { method, path, body }));
  };
  const charges = async (): Promise<void> => {
    for (const Reference of ['queued-2', 'queued-3', 'hot-1', 'slow-2', 'lost-2', 'lost-3', 'plain-2']) {
      await send('POST', '/charge/card', charge({ Reference }));
    }
    await send('POST', '/charge/card', charge({ ProviderId: FLAKY }));
    for (let n = 0; n < 3; n++) await send('GET', '/charge');
    await send('DELETE', `/charge/${chargeId}/void`);
    await send('GET', `/batch/${batchId}`);
    await send('GET', '/_sandbox/scenario');
    await send('GET', '/_sandbox/outcomes');
  };
  await charges();
  for (const By of ['9s', '45s', '1h']) {
    await send('POST', '/_sandbox/clock/advance', { By });
    await charges();
  }
  await send('GET', STATE);
  const slept = JSON.stringify(one.sandbox.host.slept.slice(before));
  return [...recorded, { call: 'real sleeps', status: 200, text: slept, headers: {} }];
}

/** The document of a world that is half-way through its scenario, and the sandbox it is from. */
async function written(): Promise<{ one: Setup; ids: Awaited<ReturnType<typeof halfway>>; text: string }> {
  const one = setup();
  const ids = await halfway(one);
  return { one, ids, text: (await good(one.api.get(STATE))).text };
}

describe('a state document of a world under a scenario', () => {
  test('goes on byte for byte in another sandbox: rules, states, timeline, providers, queues, batch', async () => {
    const { one, ids, text } = await written();
    const other = setup();
    const put = await good(other.api.put(STATE, text));
    expect(put.body).toMatchObject({ Scenario: 'much at once' });
    const [expected, given] = [await goOn(one, ids), await goOn(other, ids)];
    expect(given).toEqual(expected);
    const statuses = new Set(expected.map(({ status }) => status));
    expect([...statuses].sort((a, b) => a - b)).toEqual([0, 200, 201, 400, 409, 429, 503]);
  });

  test('holds what a snapshot of the world holds, but the keys of the scenario', async () => {
    const { one, text } = await written();
    const other = setup();
    await good(other.api.put(STATE, text));
    const [{ script: given }, { script: held }] = [takeSnapshot(other.world()), takeSnapshot(one.world())];
    expect(given).toEqual({ ...held, scenario: { ...held?.scenario, keys: [] } });
    expect(given?.queues).toMatchObject({ nextId: 4, queues: [{ id: 2 }, { id: 3 }] });
    expect(given?.down).toEqual([FLAKY]);
    expect(text).not.toContain('sk_test');
  });

  test('starts no scenario if it has none, whatever was playing before', async () => {
    const { text } = await written();
    const { Script: _, ...document } = JSON.parse(text) as { Script: Json; Jobs: { Kind: string }[] };
    const Jobs = document.Jobs.filter(({ Kind }) => Kind !== 'scenario.timeline');
    const other = setup();
    await halfway(other);
    const put = await good(other.api.put(STATE, { ...document, Jobs }));
    expect(put.body).toMatchObject({ Scenario: null });
    expect((await other.api.get('/_sandbox/scenario')).body).toMatchObject({ Rules: [], State: {} });
    expect((await other.api.get('/_sandbox/outcomes')).body).toEqual({ Queues: [] });
    expect((await other.api.charge(charge({ Reference: 'queued-1' }))).status).toBe(201);
  });

  test('of a world without a script says that no queue was given yet, and no more', async () => {
    const { api } = setup();
    const { body } = await good(api.get(STATE));
    expect(body['Script']).toEqual({ NextQueueId: 1 });
  });

  async function putChanged(change: (text: string) => Json): Promise<Answer> {
    const { one, text } = await written();
    const document = change(text);
    const before = JSON.stringify(takeSnapshot(one.world()).script);
    const answer = await one.api.put(STATE, document);
    expect(JSON.stringify(takeSnapshot(one.world()).script)).toBe(before);
    return answer;
  }

  test.each<[path: string, value: unknown, place: string]>([
    ['Scenario.name', 5, 'Script.Scenario.name'],
    ['Scenario.rules.0.then.outcome', 'aprove', 'Script.Scenario.rules.0.then.outcome'],
    ['Scenario.rules.0.when.operation', ['charge.read'], 'Script.Scenario.rules.0.then.outcome'],
    ['Scenario.colour', 'red', 'Script.Scenario.colour'],
    ['Scenario', undefined, 'Script.Rules'],
    ['Scenario', [], 'Script.Scenario'],
    ['Rules', undefined, 'Script.Rules'],
    ['Rules.0.Seen', -1, 'Script.Rules.0.Seen'],
    ['Rules.5.Window.Calls', 'x', 'Script.Rules.5.Window.Calls'],
    ['Rules.0.Left', 1, 'Script.Rules.0'],
    ['State.slow', [], 'Script.State.slow'],
    ['State', 'open', 'Script.State'],
    ['Down.0', 'flaky', 'Script.Down.0'],
    ['NextQueueId', undefined, 'Script.NextQueueId'],
    ['Queues.0.Operation', 'charge.creat', 'Script.Queues.0.Operation'],
    ['Queues.0.Operation', 'charge.read', 'Script.Queues.0.Outcomes'],
    ['Queues.0.Outcomes', [], 'Script.Queues.0.Outcomes'],
    ['Queues.0.Outcomes.0', { Fault: 'explode' }, 'Script.Queues.0.Outcomes'],
    ['Queues.0.Match.Colour', 'red', 'Script.Queues.0.Match'],
    ['Queues.0.Match.Reference', 7, 'Script.Queues.0.Match.Reference'],
    ['Queues.0.Left', 2, 'Script.Queues.0'],
  ])('with %s as %j is refused whole at its place', async (path, value, place) => {
    const answer = await putChanged((text) => changed(text, `Script.${path}`, value));
    expectRefused(answer, 400, 90, place);
  });

  test('with a job for an entry that its timeline does not have is refused', async () => {
    const answer = await putChanged((text) => changed(text, 'Script.Scenario.timeline', undefined));
    expectRefused(answer, 400, 90);
    expect(Object.keys(answer.body['Details'] as object)).toEqual([expect.stringMatching(/^Jobs\.\d+$/)]);
  });
});
