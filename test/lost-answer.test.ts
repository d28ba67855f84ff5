import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CHARGE_STATUSES } from '../src/records/charge.js';
import { bankCharge } from './support/instruments.js';
import { good } from './support/sandbox.js';
import { STEADY } from './support/stored.js';
import { setup } from './support/tests.js';

/** What docs/guides/lost-answer.md says of statuses. test/package/lost-answer.test.ts runs its programs. */

const PAGE = readFileSync(join(import.meta.dirname, '../docs/guides/lost-answer.md'), 'utf8');

/** The statuses of the table that are paid, or not. */
function statusesOf(paid: 'yes' | 'no'): string[] {
  const rows = [...PAGE.matchAll(/^\| (`.*`) \| (yes|no) \|/gm)].filter(([, , cell]) => cell === paid);
  return rows.flatMap(([, statuses = '']) => statuses.replaceAll('`', '').split(', '));
}

test('A charge is paid by its Status as the table says: the service has its money.', async () => {
  const seeded = { cardNumber: '4242424242424242', expiryDate: '12/30', amount: 20 };
  const charges = CHARGE_STATUSES.filter((status) => !status.startsWith('PENDING')).map((status) => ({
    ...seeded,
    status,
    reference: status,
    ...(status === 'PARTIAL_REFUND' ? { refunded: 5 } : {}),
    ...(status === 'FAILED' ? { outcome: 'do_not_honor' } : {}),
  }));
  const { api } = setup();
  await good(api.put('/_sandbox/scenario', { Definition: { name: 'all statuses', seedData: { charges } } }));
  await good(api.post('/_sandbox/reset'));
  await good(api.post('/charge/bank_account', bankCharge({ Reference: 'PENDING' })));
  await good(
    api.post('/charge/checkout', {
      Amount: 20,
      ProviderId: STEADY,
      ProviderType: 'paypal',
      Reference: 'PENDING_CHECKOUT',
    }),
  );

  const { body } = await good(api.post('/_sandbox/reconcile', { Orders: [] }));
  const totals = body['Totals'] as { Reference: string; Left: number }[];
  expect(totals.map(({ Reference }) => Reference).toSorted()).toEqual([...CHARGE_STATUSES].toSorted());
  const taken = totals.filter(({ Left }) => Left > 0).map(({ Reference }) => Reference);
  expect(new Set(statusesOf('yes'))).toEqual(new Set(taken));
  expect(new Set([...statusesOf('yes'), ...statusesOf('no')])).toEqual(new Set(CHARGE_STATUSES));
});

test('The three programs have the statuses of the table and the same codes.', () => {
  const lists = [...PAGE.matchAll(/\bPAID[^\n]*? = \[?(['"]SUCCESS.*)/g)].map(([, line = '']) =>
    Array.from(line.matchAll(/['"]([A-Z_]+)['"]/g), ([, status = '']) => status),
  );
  const [row = ''] = /^\| `FAILED`.*/m.exec(PAGE) ?? [];
  const failed = Array.from(row.split(' | ')[0]?.matchAll(/`(\w+)`/g) ?? [], ([, status = '']) => status);
  expect(lists).toEqual(Array.from({ length: 3 }, () => [...statusesOf('yes'), ...failed]));
  expect(PAGE.match(/\[80, 37, 34\]/g)).toHaveLength(3);
});
