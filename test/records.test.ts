import { expect, test } from 'vitest';

import { TABLE_OF_JOB } from '../src/records.js';

test('the jobs in a document of a world have these names, each about a record of its table', () => {
  expect(TABLE_OF_JOB).toEqual({
    'authorisation.expire': 'charges',
    'charge.settle': 'charges',
    'token.expire': 'tokens',
    'vault.expire': 'vault',
    'batch.create': 'batches',
    'batch.start': 'batches',
    'batch.rows': 'batches',
    'batch.finish': 'batches',
    'webhook.deliver': 'deliveries',
    'subscription.charge': 'subscriptions',
    'transfer.arrive': 'transfers',
  });
});
