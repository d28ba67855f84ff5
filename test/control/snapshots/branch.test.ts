import { describe, expect, test } from 'vitest';

import { sleepBy } from '../../../src/core/time/sleep.js';
import { type Answer, type Client, client, good, testHost, testSandbox } from '../../support/sandbox.js';
import { NO_FUNDS, cardOf, textIn } from '../../support/stored.js';
import { charge, setup, type Setup } from './support.js';

type Json = Readonly<Record<string, unknown>>;

const DECLINED = { PaymentInformation: cardOf(NO_FUNDS) };

const save = (api: Client, name: string): Promise<Answer> => good(api.put(`/_sandbox/snapshots/${name}`));
const restore = (api: Client, name: string): Promise<Answer> =>
  good(api.post(`/_sandbox/snapshots/${name}/restore`));

async function entries(api: Client, query = ''): Promise<Json[]> {
  return (await api.read(`/_sandbox/journal${query}`))['Entries'] as Json[];
}

/** The reference of each call in the journal, oldest first, and whether a restore undid it. */
async function calls(api: Client): Promise<string[]> {
  const all = await entries(api);
  return all
    .toReversed()
    .map(({ Reference, Undone }) => `${String(Reference)}${Undone === true ? ' undone' : ''}`);
}

async function count(api: Client, Match?: object): Promise<unknown> {
  return (await good(api.post('/_sandbox/journal/count', { Match }))).body['Count'];
}

async function timeline(api: Client, id: string): Promise<Json[]> {
  return (await api.read(`/_sandbox/records/charges/${id}`))['Timeline'] as Json[];
}

/** A world in which a charge was declined, undone, and made again with another card. */
async function chargedAgain(): Promise<Setup & { readonly id: string }> {
  const found = setup();
  const { api } = found;
  await save(api, 'before');
  const declined = await api.charge(charge(DECLINED));
  await restore(api, 'before');
  const id = textIn(await good(api.charge(charge())), 'ChargeId');
  expect(declined.body['ChargeId']).toBe(id);
  return { ...found, id };
}

const buy = (api: Client, Reference: string): Promise<Answer> => good(api.charge(charge({ Reference })));

describe('a call that a restore undid', () => {
  test('is not in the timeline of the charge that has its identifier now', async () => {
    const { api, id } = await chargedAgain();
    const shown = (await timeline(api, id)).map(({ What, Status, EntryId }) => [What, Status, EntryId]);
    expect(shown).toEqual([
      ['call', 201, 2],
      ['added', null, 2],
    ]);
  });

  test('stays in the journal with its number and a mark, which is a filter of lists, facets and counts', async () => {
    const { api } = await chargedAgain();
    expect(await entries(api)).toMatchObject([
      { EntryId: 2, Status: 201, Undone: false },
      { EntryId: 1, Status: 400, Undone: true },
    ]);
    expect(await entries(api, '?Undone=true')).toMatchObject([{ EntryId: 1 }]);
    expect(await entries(api, '?Undone=false')).toMatchObject([{ EntryId: 2 }]);
    expect(await api.read('/_sandbox/journal/1')).toMatchObject({ Status: 400, Undone: true });
    expect(await api.read('/_sandbox/journal/facets?Undone=true')).toMatchObject({
      Count: 1,
      Results: [{ Name: 'declined', Count: 1 }],
    });
    expect(await count(api, { Undone: true })).toBe(1);
  });

  test('is neither counted nor awaited', async () => {
    const { api, sandbox } = await chargedAgain();
    expect(await count(api)).toBe(1);
    expect(await count(api, { Status: 400 })).toBe(0);
    expect(await count(api, { Undone: false })).toBe(1);
    const all = await good(api.post('/_sandbox/journal/await', {}));
    expect(all.body).toMatchObject({ Count: 1, Entries: [{ EntryId: 2 }] });
    const Match = { Status: 400 };
    const awaited = api.post('/_sandbox/journal/await', { Match, Timeout: '250ms' });
    await sandbox.host.pause();
    sandbox.host.timers.find(({ ms }) => ms === 250)?.fire();
    expect((await awaited).body).toMatchObject({ Code: 94, Count: 0, Nearest: [{ EntryId: 2 }] });
  });

  test('is counted or awaited where it is asked for, but no delivery is one', async () => {
    const { api } = await chargedAgain();
    const awaited = await good(api.post('/_sandbox/journal/await', { Match: { Undone: true } }));
    expect(awaited.body).toMatchObject({ Count: 1, Entries: [{ EntryId: 1 }] });
    const Match = { Event: 'transaction.status.changed', Undone: true };
    expect((await api.post('/_sandbox/journal/count', { Match })).body['Message']).toContain(
      'cannot be combined with Event',
    );
  });

  test('is no call of a finding', async () => {
    const { api, id } = await chargedAgain();
    await save(api, 'paid');
    await good(api.get(`/charge/${id}`));
    const Orders = [{ Reference: null, Amount: 99, Paid: true }];
    await restore(api, 'before');
    await api.charge(charge(DECLINED));
    await restore(api, 'paid');
    const { Findings } = (await good(api.post('/_sandbox/reconcile', { Orders }))).body as {
      Findings: { Charges: Json[] }[];
    };
    expect(Findings.flatMap(({ Charges }) => Charges)).toMatchObject([{ ChargeId: id, EntryId: 2 }]);
  });

  test('does not show webhooks of the present, which may have the identifiers of its own', async () => {
    const { api } = setup();
    const Webhook = { Url: 'http://127.0.0.1:9/hook' };
    await save(api, 'before');
    await good(api.charge(charge({ Webhook })));
    await restore(api, 'before');
    await good(api.charge(charge({ Webhook })));
    const [now, undone] = await entries(api);
    expect(now).toMatchObject({ Undone: false, Deliveries: [{ EventType: 'transaction.status.changed' }] });
    expect(undone).toMatchObject({ Undone: true, Deliveries: [] });
  });

  test('is in the HAR and the bundle, but not in the trace', async () => {
    const { api } = await chargedAgain();
    const { log } = (await api.read('/_sandbox/journal/export?Format=har')) as { log: { entries: Json[] } };
    expect(log.entries.map(({ _entryId, _undone }) => [_entryId, _undone])).toEqual([
      [1, true],
      [2, false],
    ]);
    const bundle = (await api.read('/_sandbox/bundle'))['Trace'] as { Entries: Json[] };
    expect(bundle.Entries.map(({ Status, Undone }) => [Status, Undone])).toEqual([
      [400, true],
      [201, undefined],
    ]);
    const trace = (await api.read('/_sandbox/journal/export?Format=trace'))['Entries'] as Json[];
    expect(trace).toMatchObject([{ Status: 201 }]);
  });
});

describe('the present after a restore', () => {
  test('begins with what happened before the snapshot', async () => {
    const { api } = setup();
    const id = textIn(await good(api.charge(charge({ Capture: false }))), 'ChargeId');
    await save(api, 'base');
    await good(api.del(`/charge/${id}/void`));
    expect((await timeline(api, id)).filter(({ What }) => What === 'call')).toHaveLength(2);
    await restore(api, 'base');
    expect((await timeline(api, id)).filter(({ What }) => What === 'call')).toMatchObject([
      { Status: 201, EntryId: 1 },
    ]);
    expect(await count(api)).toBe(1);
  });

  test('is right after nested restores, and after a return to an undone branch', async () => {
    const { api } = setup();
    await buy(api, 'a');
    await save(api, 'A');
    await buy(api, 'b');
    await save(api, 'B');
    await buy(api, 'c');
    await restore(api, 'A');
    await buy(api, 'd');
    expect(await calls(api)).toEqual(['a', 'b undone', 'c undone', 'd']);
    await save(api, 'D');
    await restore(api, 'B');
    expect(await calls(api)).toEqual(['a', 'b', 'c undone', 'd undone']);
    await buy(api, 'e');
    await restore(api, 'D');
    await buy(api, 'f');
    expect(await calls(api)).toEqual(['a', 'b undone', 'c undone', 'd', 'e undone', 'f']);
    await restore(api, 'A');
    expect(await calls(api)).toEqual(['a', 'b undone', 'c undone', 'd undone', 'e undone', 'f undone']);
    await restore(api, 'B');
    expect(await calls(api)).toEqual(['a', 'b', 'c undone', 'd undone', 'e undone', 'f undone']);
  });

  test('stays right when the journal is emptied, and EntryIds go on', async () => {
    const { api } = setup();
    await buy(api, 'a');
    await save(api, 'A');
    await buy(api, 'b');
    await good(api.del('/_sandbox/journal'));
    await buy(api, 'c');
    await restore(api, 'A');
    await buy(api, 'd');
    expect(await entries(api)).toMatchObject([
      { EntryId: 4, Undone: false },
      { EntryId: 3, Undone: true },
    ]);
  });

  test('is everything after a reset', async () => {
    const { api } = await chargedAgain();
    await good(api.post('/_sandbox/reset'));
    await buy(api, 'new');
    expect(await entries(api)).toMatchObject([{ EntryId: 3, Undone: false }]);
    expect(await count(api)).toBe(1);
  });

  test('has no earlier call after an import, until a snapshot from before is restored', async () => {
    const { api } = setup();
    await buy(api, 'a');
    await save(api, 'A');
    const { text } = await good(api.get('/_sandbox/state'));
    await buy(api, 'b');
    await good(api.put('/_sandbox/state', text));
    await buy(api, 'c');
    expect(await calls(api)).toEqual(['a undone', 'b undone', 'c']);
    await restore(api, 'A');
    expect(await calls(api)).toEqual(['a', 'b undone', 'c undone']);
  });

  test('has no call that was under way at the restore', async () => {
    const host = testHost();
    const api = client(testSandbox({}, { ...host, sleep: (ms, signal) => sleepBy(host, ms, signal) }));
    await save(api, 'before');
    await good(api.queue('charge.create', [{ Delay: '1s', Phase: 'after' }]));
    const late = api.charge(charge());
    await host.pause();
    await restore(api, 'before');
    expect((await late).status).toBe(503);
    const id = textIn(await good(api.charge(charge())), 'ChargeId');
    expect(await entries(api)).toMatchObject([{ Status: 201 }, { Status: 503, Undone: true }]);
    expect((await timeline(api, id)).filter(({ What }) => What === 'call')).toMatchObject([{ Status: 201 }]);
  });
});
