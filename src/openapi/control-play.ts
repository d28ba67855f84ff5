import { type PlayAnswer, type PlayCall, CARD } from './call.js';

const SCENARIO = {
  name: 'tuesdays',
  rules: [
    {
      name: 'small change',
      when: { operation: 'charge.create', amount: { lt: 1 } },
      then: { outcome: 'do_not_honor' },
    },
  ],
};

/** The kinds of records, in the singular and plural. */
const RECORD_NAMES = [
  ['Charge', 'Charges'],
  ['Customer', 'Customers'],
  ['Method', 'Methods'],
  ['VaultEntry', 'VaultEntries'],
  ['Batch', 'Batches'],
  ['Authentication', 'Authentications'],
  ['Subscription', 'Subscriptions'],
  ['PaymentLink', 'PaymentLinks'],
  ['Transfer', 'Transfers'],
];

/** Calls every control operation, in a world in which the operations of the service were called. */
export async function playControl(call: PlayCall): Promise<void> {
  await playJournal(call);
  await playScript(call);
  await playRecords(call);
  await playSnapshots(call);
  await playWorld(call);
}

async function playJournal(call: PlayCall): Promise<void> {
  const list = await call('getJournal', { query: '?Operation=charge.create&Limit=1' });
  const [entry] = list['Entries'] as unknown as { EntryId: number }[];
  await call('getEntry', { id: String(entry?.EntryId) });
  await call('repeatCall', { id: String(entry?.EntryId) });
  await call('branchWorld', { id: String(entry?.EntryId) });
  await call('countFacets', { query: '?Periods=2', keep: 2 });
  await call('countEntries', { body: { Match: { Operation: 'charge.create' } } });
  await call('awaitEntries', { body: { Match: { Reference: 'order-1' }, Count: 1, Timeout: '5s' }, keep: 1 });
  await call('exportJournal', { query: '?Format=trace', keep: 1 });
  const log = await call('getDeliveries', { query: '?Limit=1' });
  const [delivery] = log['Deliveries'] as unknown as { DeliveryId: string }[];
  await call('resendDelivery', { id: delivery?.DeliveryId ?? '' });
  await call('reconcile', {
    body: { Orders: [{ Reference: 'order-1', Amount: 15.5, Paid: false }] },
    keep: 1,
  });
  await call('lookFindings');
  await call('clearJournal');
}

async function playScript(call: PlayCall): Promise<void> {
  await call('queueOutcomes', {
    body: {
      Operation: 'charge.create',
      Outcomes: ['issuer_unavailable', 'approve'],
      Match: { Reference: 'order-*' },
    },
  });
  await call('getOutcomes');
  await call('emptyOutcomes');
  await playHold(call);
  await call('getScenarios');
  await call('useScenario', { body: { Definition: SCENARIO } });
  await call('getScenario');
  await call('getUnmatched');
  await call('endScenario');
}

async function playHold(call: PlayCall): Promise<void> {
  const hold = { body: { Operation: 'charge.create', Match: { Reference: 'order-12' } } };
  await call('holdCalls', hold);
  const held = call('chargeCard', { body: { Amount: 20, Reference: 'order-12', ...CARD } });
  while ((await call('holdCalls', hold))['Waiting']?.length === 0);
  await call('getHolds');
  await call('decideHeldCall', { id: '1', body: { Fault: 'status=503', Phase: 'after' } });
  await held;
  await call('endHolds');
}

async function playRecords(call: PlayCall): Promise<void> {
  await call('searchWorldCharges', { query: '?Limit=1' });
  await call('lookJobs', { query: '?Limit=1' });
  for (const [kind, kinds] of RECORD_NAMES) {
    const { Records } = (await call(`look${kinds}`, { query: '?Limit=1' })) as unknown as {
      Records: readonly PlayAnswer[];
    };
    const name = Object.keys(Records[0] ?? {}).find((key) => /I[dD]$/.test(key));
    const id = Records[0]?.[name ?? ''] ?? '';
    await call(`look${kind}`, { id, keep: 2 });
    if (kind === 'Batch') await call('lookBatchRows', { id, query: '?Limit=1' });
  }
}

async function playSnapshots(call: PlayCall): Promise<void> {
  await call('saveSnapshot', { id: 'before' });
  await call('chargeCard', { body: { Amount: 1, ...CARD } });
  await call('getSnapshots');
  await call('getSnapshot', { id: 'before' });
  await call('diffSnapshot', { id: 'before' });
  await call('restoreSnapshot', { id: 'before' });
  await call('removeSnapshot', { id: 'before' });
}

async function playWorld(call: PlayCall): Promise<void> {
  const token = await call('createSandboxToken', { body: CARD });
  await call('simulate', { body: { Action: 'token.expire', Ref: token['TokenId'] ?? '' } });
  await call('getTriggers', { keep: 1 });
  await call('getWorlds');
  await call('getHealth');
  await call('getReady');
  await call('getWorld');
  await call('getClock');
  await call('settleWorld', { body: { Timeout: '10s' } });
  await call('setClock', { body: { Mode: 'scaled', Rate: 60 } });
  await call('resetWorld', { body: { Seed: '42', Name: 'shop > pays by card', Clock: { Mode: 'manual' } } });
  const state = await call('getState', { keep: 1 });
  await call('putState', { body: state });
  await call('openFile', { body: state });
  await call('getBundle', { keep: 1 });
  const { World = '' } = await call('getWorld');
  await call('deleteWorld', { id: World });
}
