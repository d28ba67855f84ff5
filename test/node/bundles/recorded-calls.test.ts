import { expect, test, vi } from 'vitest';

import { openBundle } from '../../../src/node/bundles/open.js';
import { readOptions } from '../../../src/node/options/option.js';
import { START } from '../../../src/node/options/option-table.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { type Client, client, type TestSandbox, testSandbox } from '../../support/sandbox.js';
import { fileWith } from '../replay/support.js';

const LOCAL = 'sk_test_local';
/** Declined as insufficient funds. */
const BROKE = '4000000000009995';

const chargeOf = (Reference: string, number?: string, more = {}): object => ({
  Amount: 5,
  ProviderId: STEADY,
  Reference,
  PaymentInformation: cardOf(number),
  ...more,
});

type Listed = Readonly<Record<string, unknown>>;

/** The calls in a journal, oldest first. */
async function callsOf(api: Client): Promise<Listed[]> {
  return ((await api.read('/_sandbox/journal?Limit=100'))['Entries'] as Listed[]).toReversed();
}

const bundleOf = async (api: Client): Promise<Listed> => api.read('/_sandbox/bundle');

function entriesOf(bundle: Listed): Listed[] {
  return (bundle['Trace'] as { Entries: Listed[] }).Entries;
}

async function opened(bundle: unknown): Promise<TestSandbox> {
  const { restore } = await openBundle(fileWith(bundle), readOptions(START, new Map(), {}));
  const sandbox = testSandbox();
  await restore(sandbox);
  return sandbox;
}

/** A world with calls of each kind. */
async function recorded(): Promise<Client> {
  const api = client(testSandbox());
  await api.post('/vault', { CardNumber: '4539578763621486', Ccv: '987' });
  await api.charge(chargeOf('paid'));
  await api.charge(chargeOf('declined', BROKE, { Unknwon: 1 }));
  await api.queue('charge.create', ['do_not_honor']);
  await api.charge(chargeOf('queued'));
  await api.advance('1h');
  await api.charge('no json 12', { 'content-type': 'text/plain' });
  await api.charge(chargeOf('long', undefined, { Metadata: { note: 'x'.repeat(300_000) } }));
  await api.get('/charge?Limit=1');
  return api;
}

test('shows the calls of a bundle as their world showed them, and marks them', async () => {
  const original = await recorded();
  const shown = await callsOf(client(await opened(await bundleOf(original)), LOCAL));
  // Of the headers, a bundle has only those that matter.
  const without = (call: Listed) => ({ ...call, RequestHeaders: null, Recorded: null });
  expect(shown.map(without)).toEqual((await callsOf(original)).map(without));
  expect(shown.map(({ Recorded }) => Recorded)).toEqual(Array(7).fill(true));
  expect((await callsOf(original)).some(({ Recorded }) => Recorded)).toBe(false);
});

test('counts and awaits only the calls that come after the opening', async () => {
  const sandbox = await opened(await bundleOf(await recorded()));
  const api = client(sandbox, LOCAL);
  const Match = { Operation: 'charge.create' };
  expect((await api.post('/_sandbox/journal/count', { Match })).body).toEqual({
    Count: 0,
    Incomplete: false,
  });
  const vain = api.post('/_sandbox/journal/await', { Match, Timeout: '250ms' });
  await vi.waitUntil(() => sandbox.host.timers.some(({ ms }) => ms === 250));
  sandbox.host.timers.find(({ ms }) => ms === 250)?.fire();
  expect((await vain).body).toMatchObject({ Code: 94, Count: 0, Nearest: [] });
  await api.charge(chargeOf('live'));
  expect((await api.post('/_sandbox/journal/count', { Match })).body).toMatchObject({ Count: 1 });
  const found = await api.post('/_sandbox/journal/await', { Match });
  expect(found.body).toMatchObject({ Count: 1, Entries: [{ Reference: 'live', Recorded: false }] });
});

test('a bundle of an opened world has each call once, in order', async () => {
  const first = await bundleOf(await recorded());
  const api = client(await opened(first), LOCAL);
  await api.charge(chargeOf('live'));
  const again = entriesOf(await bundleOf(api));
  expect(again).toHaveLength(8);
  // Stand-ins of stand-ins are other numbers.
  const withoutVault = (entries: Listed[]) => entries.slice(1, 7);
  expect(withoutVault(again)).toEqual(withoutVault(entriesOf(first)));
  expect(again.at(-1)).toMatchObject({ Reference: 'live' });
  expect(await callsOf(client(await opened(await bundleOf(api)), LOCAL))).toHaveLength(8);
});

test('leaves the journal empty of the world in which the calls can be replayed', async () => {
  const sandbox = await opened(await bundleOf(await recorded()));
  expect(await callsOf(client(sandbox, 'sk_test_replay'))).toEqual([]);
});

test('leads from a record, and from a finding of a reconciliation, to the call', async () => {
  const original = await recorded();
  const api = client(await opened(await bundleOf(original)), LOCAL);
  const paid = (await callsOf(api)).find(({ Reference }) => Reference === 'paid');
  const { ChargeId } = (paid ?? {})['ResponseBody'] as { ChargeId: string };
  const { Timeline } = await api.read(`/_sandbox/records/charges/${ChargeId}`);
  expect(Timeline).toContainEqual(expect.objectContaining({ What: 'call', EntryId: paid?.['EntryId'] }));
  const { body } = await api.post('/_sandbox/reconcile', { Orders: [] });
  expect(body['Findings']).toMatchObject([{ Charges: [{ ChargeId, EntryId: paid?.['EntryId'] }] }]);
});

test('keeps apart what a restore had undone, also in a bundle of the opened world', async () => {
  const original = client(testSandbox());
  await original.put('/_sandbox/snapshots/before');
  await original.charge(chargeOf('order', BROKE));
  await original.post('/_sandbox/snapshots/before/restore');
  const { body } = await original.charge(chargeOf('order'));
  let bundle = await bundleOf(original);
  for (let round = 0; round < 2; round++) {
    const api = client(await opened(bundle), LOCAL);
    expect(await callsOf(api)).toMatchObject([
      { Status: 400, Recorded: true, Undone: true },
      { Status: 201, Recorded: true, Undone: false },
    ]);
    const { Timeline } = await api.read(`/_sandbox/records/charges/${String(body['ChargeId'])}`);
    expect(Timeline).toMatchObject([{ What: 'call', Status: 201 }, { What: 'added' }]);
    bundle = await bundleOf(api);
  }
});

test('keeps the last 10,000 calls, and goes on counting those that were dropped', async () => {
  const bundle = await bundleOf(await recorded());
  const [call] = entriesOf(bundle);
  const trace = {
    ...(bundle['Trace'] as object),
    Evicted: 5,
    Entries: Array(10_003).fill(call) as unknown[],
  };
  const api = client(await opened({ ...bundle, Trace: trace }), LOCAL);
  expect(await api.read('/_sandbox/journal?Limit=1')).toMatchObject({
    Count: 10_000,
    Evicted: 8,
    Entries: [{ EntryId: 10_008 }],
  });
  expect((await api.post('/_sandbox/journal/count')).body).toEqual({ Count: 0, Incomplete: false });
});

test('shows the calls of a file that does not say what decided them', async () => {
  const bundle = await bundleOf(await recorded());
  const Entries = entriesOf(bundle).map(({ At, Method, Path, Query, Headers, Body, Status, Response }) => {
    return { At, Method, Path, Query, Headers, Body, Status, Response };
  });
  const trace = { ...(bundle['Trace'] as object), Entries };
  const shown = await callsOf(client(await opened({ ...bundle, Trace: trace }), LOCAL));
  expect(shown[1]).toMatchObject({
    Path: '/charge/card',
    Status: 201,
    Operation: null,
    RealAt: shown[1]?.['At'],
  });
});
