import { expect, test } from 'vitest';

import { Table } from '../../../src/core/store/store.js';
import { parseDuration } from '../../../src/core/time/time.js';
import {
  type Transfer,
  TRANSFER_PENDING_FOR,
  TRANSFER_TRANSITIONS,
  TRANSFER_KEYS,
} from '../../../src/records/transfer.js';
import { indexesOf, tableIds } from '../../support/tables.js';

test('a transfer is a day on its way, arrives, and stays there', () => {
  expect(TRANSFER_PENDING_FOR).toBe(parseDuration('1d'));
  expect(TRANSFER_TRANSITIONS).toEqual({ PENDING: ['SUCCESS'], SUCCESS: [] });
});

test('the transfers of a world are found by reference, by group and by charge', () => {
  const store = new Table(tableIds(), 10, TRANSFER_KEYS);
  const transfers = [
    { reference: 'rent', groupReference: 'g1', charge: 'c3' },
    { reference: null, groupReference: 'g1', charge: 'c3' },
    { reference: 'rent', groupReference: 'g2', charge: 'c0' },
  ];
  for (const [index, transfer] of transfers.entries()) store.add({ ...transfer, index } as Transfer);
  expect([indexesOf(store.by('reference', 'rent')), indexesOf(store.by('reference', 'null'))]).toEqual([
    [0, 2],
    [],
  ]);
  expect([indexesOf(store.by('group', 'g1')), indexesOf(store.by('group', 'g2'))]).toEqual([[0, 1], [2]]);
  expect([indexesOf(store.by('charge', 'c3')), indexesOf(store.by('charge', 'c0'))]).toEqual([[0, 1], [2]]);
});
