import { describe, expect, test } from 'vitest';

import { restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { client, good, testHost } from '../../support/sandbox.js';
import { VAULT_EXPIRE } from '../../../src/records/vault-entry.js';
import { expectRefused, STEADY, textIn, VISA } from '../../support/stored.js';
import { busy, charge, goOn, KEY, setup } from './support.js';

describe('a restored world', () => {
  test('goes on byte for byte like the original: identifiers, draws, jobs, a batch half-way', async () => {
    const original = setup();
    const { batchId } = await busy(original.api);
    const status = await original.api.get(`/batch/${batchId}/status`);
    expect(status.body).toMatchObject({ Status: 'IN_PROGRESS', Progress: 0.5 });
    const snapshot = takeSnapshot(original.world());
    const expected = await goOn(original, batchId);

    restoreSnapshot(original.sandbox.worlds, KEY, snapshot);
    expect(await goOn(original, batchId)).toEqual(expected);
    // A snapshot is not used up, and what came after it did not write into it.
    restoreSnapshot(original.sandbox.worlds, KEY, snapshot);
    expect(await goOn(original, batchId)).toEqual(expected);
  });

  test('goes on like the original in another sandbox', async () => {
    const [original, other] = [setup(), setup()];
    const { batchId } = await busy(original.api);
    const snapshot = takeSnapshot(original.world());
    restoreSnapshot(other.sandbox.worlds, KEY, snapshot);
    const [expected, given] = [await goOn(original, batchId), await goOn(other, batchId)];
    expect(given).toEqual(expected);
  });

  test('finds what it held by every index, and nothing that came later', async () => {
    const { api, world, sandbox } = setup();
    const { chargeId } = await busy(api);
    const snapshot = takeSnapshot(world());
    const late = textIn(await good(api.charge(charge({ Reference: 'late' }))), 'ChargeId');
    await good(api.del(`/charge/${chargeId}/void`));
    restoreSnapshot(sandbox.worlds, KEY, snapshot);
    expect((await api.get(`/charge/${late}`)).status).toBe(404);
    expect(await api.read('/charge?Reference=late')).toMatchObject({ Count: 0 });
    const held = await api.get('/charge?Reference=held');
    expect(held.body).toMatchObject({ Count: 1, Charges: [{ ChargeId: chargeId, Status: 'Authorised' }] });
  });

  test('goes back in time in the mode that the clock had', async () => {
    const { api, world, sandbox } = setup();
    await good(api.put('/_sandbox/clock', { Mode: 'scaled', Rate: 10 }));
    const snapshot = takeSnapshot(world());
    await good(api.put('/_sandbox/clock', { Mode: 'manual', Now: '2030-01-01T00:00:00Z' }));
    restoreSnapshot(sandbox.worlds, KEY, snapshot);
    expect(await api.read('/_sandbox/clock')).toMatchObject({
      Now: '2026-01-01T00:00:00.000Z',
      Mode: 'scaled',
      Rate: 10,
    });
    sandbox.host.wall += 1000;
    expect(await api.read('/_sandbox/clock')).toMatchObject({ Now: '2026-01-01T00:00:10.000Z' });
  });

  test('waits for its next job with a timer of its own, though nobody asks', async () => {
    const { api, world, sandbox } = setup();
    await good(api.put('/_sandbox/clock', { Mode: 'real' }));
    await good(api.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 }));
    restoreSnapshot(sandbox.worlds, KEY, takeSnapshot(world()));
    const live = sandbox.host.timers.filter(({ cancelled }) => !cancelled);
    expect(live.map(({ ms }) => ms)).toEqual([60_000]);
  });

  test('refuses with 503 code 37 who waited in the world that it replaced', async () => {
    const { api, world, sandbox } = setup();
    await api.get('/charge');
    const snapshot = takeSnapshot(world());
    for (let ref = 0; ref < 5000; ref++)
      world().jobs.schedule(world().now + 1 + ref, VAULT_EXPIRE, String(ref));
    const waiting = api.post('/_sandbox/clock/advance', { By: '1h' });
    restoreSnapshot(sandbox.worlds, KEY, snapshot);
    expectRefused(await waiting, 503, 37);
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
  });

  test('continues its queues and rules from where they were', async () => {
    const { api, world, sandbox } = setup();
    await api.get('/charge');
    world().script.setProviderDown(STEADY, true);
    const snapshot = takeSnapshot(world());
    world().script.setProviderDown(STEADY, false);
    await good(api.charge(charge()));
    restoreSnapshot(sandbox.worlds, KEY, snapshot);
    expect((await api.charge(charge())).status).toBe(400);
  });

  test('leaves other worlds alone', async () => {
    const { api, world, sandbox } = setup();
    const other = client(sandbox, 'sk_test_b');
    await good(other.charge(charge()));
    const snapshot = takeSnapshot(world());
    const before = await other.get('/_sandbox/world');
    await good(other.charge(charge()));
    restoreSnapshot(sandbox.worlds, KEY, snapshot);
    expect(await api.read('/charge')).toMatchObject({ Count: 0 });
    expect(await other.read('/charge')).toMatchObject({ Count: 2 });
    expect(before.body).not.toEqual(await other.read('/_sandbox/world'));
  });

  test('of 10,000 charges finds them as before', async () => {
    const sandbox = createInnerSandbox(testHost(), { clock: { mode: 'manual' } });
    const api = client(sandbox, KEY);
    await good(api.charge(charge({ Reference: 'first' })));
    const world = sandbox.worlds.open(KEY);
    const first = world.charges.at(0);
    if (!first) throw new Error('The charge was not stored');
    for (let index = 1; index < 10_000; index++) {
      world.charges.add({ ...first, index, reference: `order-${index}` });
    }
    restoreSnapshot(sandbox.worlds, KEY, takeSnapshot(world));
    expect(await api.read('/charge?Reference=order-77')).toMatchObject({ Count: 1 });
  });
});
