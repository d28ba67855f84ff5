import { expect, test } from 'vitest';

import { parseDuration } from '../../src/core/time.js';
import {
  type Transfer,
  TRANSFER_PENDING_FOR,
  TRANSFER_TRANSITIONS,
  TransferStore,
} from '../../src/transfers/record.js';
import { tableIds } from '../support/tables.js';

test('a transfer is a day on its way, arrives, and stays there', () => {
  expect(TRANSFER_PENDING_FOR).toBe(parseDuration('1d'));
  expect(TRANSFER_TRANSITIONS).toEqual({ PENDING: ['SUCCESS'], SUCCESS: [] });
});

test('the transfers of a world are found by reference, by group and by charge', () => {
  const store = new TransferStore(tableIds(), 10);
  const transfers = [
    { reference: 'rent', groupReference: 'g1', charge: 3 },
    { reference: null, groupReference: 'g1', charge: 3 },
    { reference: 'rent', groupReference: 'g2', charge: 0 },
  ];
  expect(transfers.map((transfer, index) => store.add({ ...transfer, index } as Transfer))).toEqual([
    0, 1, 2,
  ]);
  expect([store.byReference.find('rent'), store.byReference.find('null')]).toEqual([[0, 2], []]);
  expect([store.byGroup.find('g1'), store.byGroup.find('g2')]).toEqual([[0, 1], [2]]);
  expect([store.byCharge.find(3), store.byCharge.find(0)]).toEqual([[0, 1], [2]]);
});
