import { describe, expect, test } from 'vitest';

import { listChangedFields, type WrittenRecord } from '../../../src/control/snapshots/diff.js';
import { SNAPSHOTS_MAX } from '../../../src/control/snapshots/shelf.js';
import { good } from '../../support/sandbox.js';
import { EMPTY, expectRefused, storing, textIn, VISA } from '../../support/stored.js';
import { busy, charge, goOn, setup } from './support.js';

const at = (name: string): string => `/_sandbox/snapshots/${name}`;

describe('a named snapshot', () => {
  test('is saved, listed, shown and deleted with its instant and its counts', async () => {
    const { api } = setup();
    await good(api.charge(charge({ Capture: false })));
    await api.advance('1h');
    const saved = await good(api.put(at('base')));
    expect(saved.body).toEqual({
      Name: 'base',
      At: '2026-01-01T01:00:00.000Z',
      Counts: { ...EMPTY, Charges: 1, QueuedJobs: 1 },
    });
    expect(await api.read(at('base'))).toEqual(saved.body);
    const list = { Count: 1, Snapshots: [saved.body] };
    expect(await api.read('/_sandbox/snapshots')).toEqual(list);
    expect((await good(api.del(at('base')))).body).toEqual(saved.body);
    expect(await api.read('/_sandbox/snapshots')).toEqual({ Count: 0, Snapshots: [] });
  });

  test('is restored as often as wanted, and the world goes on byte for byte each time', async () => {
    const one = setup();
    const { batchId } = await busy(one.api);
    await good(one.api.put(at('base'), {}));
    const expected = await goOn(one, batchId);
    for (let round = 0; round < 2; round++) {
      const restored = await good(one.api.post(`${at('base')}/restore`));
      expect(restored.body).toMatchObject({ Clock: { Now: '2026-01-01T00:00:03.000Z' } });
      expect(await goOn(one, batchId)).toEqual(expected);
    }
  });

  test('is replaced by one that is saved under its name', async () => {
    const { api } = setup();
    await good(api.put(at('base')));
    await good(api.charge(charge()));
    await good(api.put(at('base')));
    await good(api.charge(charge()));
    await good(api.post(`${at('base')}/restore`));
    expect(await api.read('/charge')).toMatchObject({ Count: 1 });
  });

  test('is hidden if its name begins with a dot: three are kept beside the ten, also by a reset', async () => {
    const { api } = setup();
    const names = async (query = ''): Promise<unknown> => {
      const { Snapshots } = await api.read(`/_sandbox/snapshots${query}`);
      return (Snapshots as readonly { Name: string }[]).map(({ Name }) => Name);
    };
    for (let n = 0; n < SNAPSHOTS_MAX; n++) await good(api.put(at(`s${n}`)));
    await good(api.charge(charge()));
    for (const name of ['.a', '.b', '.c', '.d', '.d']) await good(api.put(at(name)));
    expect(await names()).toHaveLength(SNAPSHOTS_MAX);
    expect(await names('?Hidden=true')).toEqual(expect.arrayContaining(['s0', '.b', '.c', '.d']));
    expect(await names('?Hidden=true')).toHaveLength(SNAPSHOTS_MAX + 3);
    await good(api.post('/_sandbox/reset'));
    expect([await names(), await names('?Hidden=true')]).toEqual([[], ['.b', '.c', '.d']]);
    await good(api.post(`${at('.b')}/restore`));
    expect(await api.read('/charge')).toMatchObject({ Count: 1 });
  });

  test('stays when the world is restored, and goes with it at a reset', async () => {
    const { api } = setup();
    await good(api.put(at('early')));
    await good(api.put(at('late')));
    await good(api.post(`${at('early')}/restore`));
    expect(await api.read('/_sandbox/snapshots')).toMatchObject({ Count: 2 });
    await good(api.post('/_sandbox/reset'));
    expect(await api.read('/_sandbox/snapshots')).toMatchObject({ Count: 0 });
  });

  test(`is refused beyond ${SNAPSHOTS_MAX} of a world, though one of them may be replaced`, async () => {
    const { api } = setup();
    for (let n = 0; n < SNAPSHOTS_MAX; n++) await good(api.put(at(`s${n}`)));
    expect(expectRefused(await api.put(at('more')), 409, 90)).toContain(
      'This world has 10 snapshots, the maximum. Delete one with DELETE /_sandbox/snapshots/{name}',
    );
    await good(api.put(at('s3')));
    await good(api.del(at('s4')));
    await good(api.put(at('more')));
  });

  test.each([['a'.repeat(64)], ['1'], ['before-the_fix.2']])('may be called %s', async (name) => {
    expect((await good(setup().api.put(at(name)))).body['Name']).toBe(name);
  });

  test.each([['a'.repeat(65)], ['a%20b'], ['%C3%A4'], ['a%2Fb'], ['a%3Ab']])(
    'may not be called %s',
    async (name) => {
      expectRefused(await setup().api.put(at(name)), 400, 90);
    },
  );

  test.each<[method: 'get' | 'del' | 'post', path: string]>([
    ['get', at('bse')],
    ['del', at('bse')],
    ['get', `${at('bse')}/diff`],
    ['post', `${at('bse')}/restore`],
  ])('that is unknown is a 404 to %s %s, which names the nearest', async (method, path) => {
    const { api } = setup();
    await good(api.put(at('base')));
    expect(expectRefused(await api[method](path), 404, 90)).toContain('Did you mean base?');
  });

  test('is saved and restored without further fields or queries', async () => {
    const { api } = setup();
    expectRefused(await api.put(at('base'), { Name: 'x' }), 400, 90);
    expectRefused(await api.put(`${at('base')}?x=1`), 400, 90);
    expectRefused(await api.get('/_sandbox/snapshots?Limit=1'), 400, 90);
  });
});

describe('GET /_sandbox/snapshots/{name}/diff', () => {
  test('compares two snapshots, whatever the world has become', async () => {
    const { api } = setup();
    const id = textIn(await good(api.charge(charge({ Capture: false }))), 'ChargeId');
    await good(api.put(at('before')));
    await api.advance('1h');
    await good(api.del(`/charge/${id}/void`));
    await good(api.put(at('after')));
    await good(api.charge(charge()));
    expect((await good(api.get(`${at('before')}/diff?With=after`))).body).toMatchObject({
      Name: 'before',
      Now: '2026-01-01T01:00:00.000Z',
      Changes: [{ Kind: 'charge', Id: id, Change: 'changed' }],
    });
    expectRefused(await api.get(`${at('before')}/diff?With=nothing`), 404, 90);
  });

  test('is empty for a world that only was read, also after a restore', async () => {
    const { api } = setup();
    await busy(api);
    await good(api.put(at('base')));
    await api.get('/charge');
    const none = { Added: 0, Changed: 0, Removed: 0 };
    const { QueuedJobs: _, ...kinds } = EMPTY;
    const same = { Counts: Object.fromEntries(Object.keys(kinds).map((kind) => [kind, none])), Changes: [] };
    expect((await good(api.get(`${at('base')}/diff`))).body).toMatchObject(same);
    await good(api.post(`${at('base')}/restore`));
    expect((await good(api.get(`${at('base')}/diff`))).body).toMatchObject(same);
    // Imported records are other objects that say the same.
    await good(api.put('/_sandbox/state', (await api.get('/_sandbox/state')).text));
    expect((await good(api.get(`${at('base')}/diff`))).body).toMatchObject(same);
  });

  test('names what was added, changed and removed since, and counts it by kind', async () => {
    const { api } = setup();
    const { chargeId, batchId } = await busy(api);
    const entry = textIn(await good(api.post('/vault', { CardNumber: VISA })), 'VaultId');
    await good(api.put(at('base')));
    await good(api.del(`/charge/${chargeId}/void`));
    const added = textIn(await good(api.charge(charge())), 'ChargeId');
    await good(api.del(`/vault/${entry}`));
    await api.advance('100ms');
    const { body } = await good(api.get(`${at('base')}/diff`));
    expect(body).toMatchObject({
      Name: 'base',
      From: '2026-01-01T00:00:03.000Z',
      Now: '2026-01-01T00:00:03.100Z',
      Counts: {
        Charges: { Added: 2, Changed: 1, Removed: 0 },
        VaultEntries: { Added: 0, Changed: 0, Removed: 1 },
        Batches: { Added: 0, Changed: 1, Removed: 0 },
      },
      Changes: [
        { Kind: 'charge', Id: chargeId, Change: 'changed' },
        { Kind: 'charge', Id: added, Change: 'added' },
        { Kind: 'charge', Change: 'added' },
        { Kind: 'vaultEntry', Id: entry, Change: 'removed' },
        { Kind: 'batch', Id: batchId, Change: 'changed' },
      ],
    });
  });

  const fieldsOf = (body: Readonly<Record<string, unknown>>, kind: string): unknown[] =>
    (body['Changes'] as { Kind: string; Fields: unknown[] }[]).flatMap(({ Kind, Fields }) =>
      Kind === kind ? Fields : [],
    );

  test('shows the fields that changed, before and after', async () => {
    const { api } = setup();
    const id = textIn(await good(api.charge(charge({ Amount: 20 }))), 'ChargeId');
    const customer = textIn(
      await good(api.post('/customer/card', storing({ FirstName: 'Ada', Email: 'ada@shop.test' }))),
      'CustomerId',
    );
    await good(api.put(at('base')));
    await good(api.del(`/refund/${id}?Amount=5`));
    await good(api.put(`/customer/${customer}`, { FirstName: 'Grace' }, { 'x-sandbox-dialect': 'sdk' }));
    const { body } = await good(api.get(`${at('base')}/diff`));
    expect(fieldsOf(body, 'charge')).toEqual(
      expect.arrayContaining([
        { Field: 'Status', Before: 'SUCCESS', Now: 'PARTIAL_REFUND' },
        { Field: 'More.Refunds.0.AmountMinor', Before: null, Now: 500 },
        { Field: 'More.Refunds.0.DateAdded', Before: null, Now: '2026-01-01T00:00:00.000Z' },
      ]),
    );
    expect(fieldsOf(body, 'customer')).toContainEqual({ Field: 'FirstName', Before: 'Ada', Now: 'Grace' });
  });

  test('shows of a secret that changed only that it did', async () => {
    const { api } = setup();
    const provider = { Name: 'mine', Type: 'dummy', Currency: 'AUD', Country: 'AUS', Environment: 'SANDBOX' };
    const made = await good(
      api.post('/provider', { ...provider, AuthenticationParameters: { Password: 'one-9xK' } }),
    );
    await good(api.put(at('base')));
    await good(
      api.put(`/provider/${textIn(made, 'ProviderId')}`, {
        ...provider,
        AuthenticationParameters: { Password: 'two-7yL' },
      }),
    );
    const { text, body } = await good(api.get(`${at('base')}/diff`));
    expect(JSON.stringify(fieldsOf(body, 'provider'))).toContain('"Before":"***","Now":"***"');
    expect(text).not.toMatch(/one-9xK|two-7yL/);
  });

  test('lists twenty fields of a record, and 200 characters of a value', () => {
    const written = (text: string): WrittenRecord => {
      const fields = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`k${n}`, text]));
      return { compared: fields, shown: fields };
    };
    const { Fields, MoreFields } = listChangedFields(written('a'), written('b'.repeat(250)));
    expect([Fields.length, MoreFields]).toEqual([20, 5]);
    expect(Fields[0]).toEqual({ Field: 'k0', Before: 'a', Now: `${'b'.repeat(199)}…` });
  });

  test('lists the first hundred and counts the rest', async () => {
    const { api } = setup();
    await good(api.put(at('base')));
    for (let n = 0; n < 101; n++) await good(api.charge(charge()));
    const { body } = await good(api.get(`${at('base')}/diff`));
    expect((body['Changes'] as unknown[]).length).toBe(100);
    expect(body['Counts']).toMatchObject({ Charges: { Added: 101 } });
  });

  test('lists records that an earlier snapshot, once restored, does not have', async () => {
    const { api } = setup();
    await good(api.put(at('early')));
    await good(api.charge(charge()));
    await good(api.put(at('late')));
    await good(api.post(`${at('early')}/restore`));
    expect(await api.read(`${at('late')}/diff`)).toMatchObject({
      Counts: { Charges: { Added: 0, Changed: 0, Removed: 1 } },
    });
  });

  test('is restored in slices: calls in between see the old world, and a reset wins', async () => {
    const { sandbox, api } = setup();
    for (let n = 0; n < 1001; n++) await api.post('/vault', { CardNumber: VISA });
    await good(api.put(at('full')));
    await good(api.charge(charge()));
    const counts: unknown[] = [];
    sandbox.host.pause = async () => {
      counts.push((await api.read('/_sandbox/world'))['Counts']);
    };
    const restored = await good(api.post(`${at('full')}/restore`));
    expect(counts).toEqual([expect.objectContaining({ Charges: 1, VaultEntries: 1001 })]);
    expect(restored.body['Counts']).toMatchObject({ Charges: 0, VaultEntries: 1001 });

    sandbox.host.pause = async () => {
      await good(api.post('/_sandbox/reset'));
    };
    expectRefused(await api.post(`${at('full')}/restore`), 503, 37);
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ VaultEntries: 0 });
  });
});
