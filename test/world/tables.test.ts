import { expect, test } from 'vitest';

import { KINDS, TABLE_OF_JOB, TABLES } from '../../src/world/tables.js';

test('the jobs in a document of a world have these names, each about a record of its table', () => {
  expect(TABLE_OF_JOB).toEqual({
    'authorisation.expire': 'charges',
    'charge.settle': 'charges',
    'token.expire': 'tokens',
    'vault.expire': 'vault',
    'vault.ccvExpire': 'vault',
    'batch.create': 'batches',
    'batch.start': 'batches',
    'batch.rows': 'batches',
    'batch.finish': 'batches',
    'webhook.deliver': 'deliveries',
    'subscription.charge': 'subscriptions',
    'transfer.arrive': 'transfers',
    'challenge.expire': 'authentications',
    'checkout.expire': 'checkouts',
  });
});

test('the fields of records that name others name tables that there are', () => {
  const named: string[] = [];
  const codec = { read: (): never => expect.fail('is not read'), write: String };
  const links = { to: (table: string) => (named.push(table), codec), source: codec, outcome: codec };
  for (const table of TABLES) KINDS[table].fields(links);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((table) => !(table in KINDS))).toEqual([]);
});
