import { expect, test } from 'vitest';

import type { DiffResponse } from '../../../src/pages/dashboard/state/wire.js';
import { listDiffParts, nameDiffKind } from '../../../src/pages/dashboard/text/decide/compare.js';
import { charge, setup } from '../../webhooks/support.js';

test('What differs from a snapshot is counted by kind, and each part finds its records.', async () => {
  const { api } = setup();
  await api.charge(charge({ Webhook: undefined, Capture: false }));
  await api.put('/_sandbox/snapshots/before', {});
  const { Records } = await api.read('/_sandbox/records/charges');
  const [first] = Records as { ChargeId: string }[];
  await api.post(`/charge/${first?.ChargeId ?? ''}`, { Amount: 15.5 });
  for (const Reference of ['a', 'b']) await api.charge(charge({ Webhook: undefined, Reference }));
  const diff = (await api.read('/_sandbox/snapshots/before/diff')) as DiffResponse;
  const parts = listDiffParts(diff);
  expect(parts.map(({ text }) => text)).toEqual(['1 charge changed', '2 charges new']);
  for (const { text, kind, change } of parts) {
    const rows = diff.Changes.filter((row) => nameDiffKind(row.Kind) === kind && row.Change === change);
    expect(text.startsWith(`${rows.length} `)).toBe(true);
  }
});

test('Each kind has its singular, which is the name of the kind in words.', () => {
  const once = { Added: 1, Changed: 0, Removed: 0 };
  const Counts = { Batches: once, VaultEntries: once, PaymentMethods: once, Deliveries: once };
  expect(listDiffParts({ Counts }).map(({ text, kind }) => [text, kind])).toEqual([
    ['1 batch new', 'batch'],
    ['1 vault entry new', 'vault entry'],
    ['1 payment method new', 'payment method'],
    ['1 delivery new', 'delivery'],
  ]);
});
