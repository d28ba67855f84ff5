import { describe, expect, test } from 'vitest';

import { parseDuration } from '../../src/core/time/time.js';
import {
  DELIVERIES_MAX,
  type Delivery,
  type DeliveryStatus,
  DeliveryStore,
  RETRY_AFTER_MS,
} from '../../src/webhooks/delivery.js';
import { tableIds } from '../support/tables.js';

const delivery = (index: number, status: DeliveryStatus) => ({ id: `d${index}`, index, status }) as Delivery;

function storeOf(...statuses: DeliveryStatus[]): DeliveryStore {
  const store = new DeliveryStore(tableIds());
  for (const [index, status] of statuses.entries()) store.add(delivery(index, status));
  return store;
}

const indexes = (store: DeliveryStore) => Array.from(store.newestFirst(), ({ index }) => index);

/** As many deliveries as a world holds. */
const full = (first: DeliveryStatus, second: DeliveryStatus) =>
  storeOf(first, second, ...Array.from({ length: DELIVERIES_MAX - 2 }, (): DeliveryStatus => 'pending'));

describe('the deliveries of a world', () => {
  test('that are pending are known, the oldest first, and those that ended are not among them', () => {
    const store = storeOf('pending', 'delivered', 'pending', 'failed', 'withheld');
    expect([...store.pending]).toEqual(['d0', 'd2']);
    store.replace(delivery(0, 'delivered'));
    expect([[...store.pending], store.at(0)?.status]).toEqual([['d2'], 'delivered']);
    store.replace(delivery(1, 'pending'));
    expect([...store.pending]).toEqual(['d2', 'd1']);
    store.remove(delivery(2, 'pending'));
    expect([...store.pending]).toEqual(['d1']);
  });

  test('are listed with the newest first, without those that made room', () => {
    const store = storeOf('pending', 'delivered', 'failed', 'pending');
    expect(indexes(store)).toEqual([3, 2, 1, 0]);
    store.remove(delivery(1, 'pending'));
    store.remove(delivery(3, 'pending'));
    expect([indexes(store), store.size]).toEqual([[2, 0], 2]);
    expect(indexes(storeOf())).toEqual([]);
  });

  test('are ten thousand at most; the one that ended first makes room for the next, before any that is pending', () => {
    expect(DELIVERIES_MAX).toBe(10_000);
    const store = full('pending', 'delivered');
    expect(store.superfluous?.index).toBe(1);
    store.remove(delivery(1, 'pending'));
    expect(store.superfluous).toBeUndefined();
    store.add(delivery(DELIVERIES_MAX, 'pending'));
    expect(store.superfluous?.index).toBe(0);
  });

  test('make room in the order in which they ended', () => {
    const store = full('pending', 'failed');
    store.replace(delivery(0, 'delivered'));
    expect(store.superfluous?.index).toBe(1);
    store.replace(delivery(1, 'pending'));
    expect(store.superfluous?.index).toBe(0);
  });

  test('are sent again after these times, and then have failed', () => {
    const waits = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'];
    expect(RETRY_AFTER_MS).toEqual(waits.map(parseDuration));
  });
});
