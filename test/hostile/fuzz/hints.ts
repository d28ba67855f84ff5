import fc from 'fast-check';

import { words } from '../../support/tables.js';
import { CCV, PAN } from '../row.js';
import { OPERATIONS, type Schema, schemaOf } from './description.js';
import { identifierOf, Ref, Text } from './identifiers.js';
import { weighted } from './weighted.js';

/** Good values of members of which the description says in words alone what is taken. */

/** Values that the description's own examples give to members of a name, however deep. */
const EXAMPLES = new Map<string, unknown[]>();

function learn(value: unknown): void {
  if (Array.isArray(value)) for (const one of value) learn(one);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'object') learn(one);
    else EXAMPLES.set(name, [...new Set([...(EXAMPLES.get(name) ?? []), one])]);
  }
}
for (const { body, path } of OPERATIONS) if (path !== '/_sandbox/state') learn(body?.example);

const token = weighted<unknown>(
  [3, identifierOf('TokenId')],
  [2, fc.constantFrom('tok_approve', 'tok_insufficient_funds', 'tok_used')],
);

const row = fc
  .record({
    method: identifierOf('PaymentMethodId'),
    amount: fc.constantFrom('12.00', '5', '0', '1.234', 'x'),
    currency: fc.constantFrom('AUD', 'AUD', 'JPY', 'XXX', ''),
    reference: fc.constantFrom('r-1', '', '"a,b"'),
  })
  .map(({ method, amount, currency, reference }) => ['\n', method, `,${amount},${currency},${reference}`]);
const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
const batch = weighted(
  [6, row.map((one) => new Text([HEADER, ...one]))],
  [1, fc.array(row, { maxLength: 3 }).map((rows) => new Text([HEADER, ...rows.flat()]))],
);

const OUTCOMES: readonly unknown[] = [
  'approve',
  'insufficient_funds',
  'issuer_unavailable',
  'provider_unavailable',
  'gateway_timeout',
  { Outcome: 'do_not_honor', Delay: '2s' },
  { Fault: 'reset', Phase: 'after' },
  { Fault: 'malformed' },
  { Status: 503 },
];

const rule = (when: object, then: object): object => ({ name: 'fuzzed', rules: [{ when, then }] });
const DEFINITIONS: readonly object[] = [
  rule({ operation: 'charge.create', amount: { lt: 1 } }, { outcome: 'do_not_honor' }),
  rule({ operation: 'charge.read', nth: 2 }, { fault: 'truncate' }),
  rule({ operation: 'customer.create' }, { outcome: 'issuer_unavailable', delay: '1s' }),
  { name: 'late', timeline: [{ at: '1h', state: { provider: 'down' } }] },
];

const HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  AccountNumber: fc.constantFrom('000123456', '000000002', '000009995'),
  AllowedPaymentTypes: fc.constantFrom(['CARD'], ['CARD'], ['PAYTO'], []),
  Amount: fc.constantFrom<unknown>('15.50', 20, 5, '1', 0.5, 100, '10.00'),
  AmountGreaterThan: fc.constantFrom('1', '15.5'),
  AmountLessThan: fc.constantFrom('1000', '15.5'),
  BankCode: fc.constantFrom('062-000', '021000021', 'HDFC0000001'),
  Batch: batch,
  By: fc.constantFrom('1ms', '1m', '2h', '3d', '31d', 'PT2H'),
  CardNumber: fc.constantFrom(PAN, PAN, '4111111111111111', '378282246310005', '4000000000000002'),
  Ccv: fc.constantFrom(CCV, CCV, null),
  Count: fc.constantFrom(1, 1, 1, '1', 2, 0),
  Currency: fc.constantFrom('AUD', 'AUD', 'AUD', 'USD', 'JPY'),
  Definition: fc.constantFrom<object>(...DEFINITIONS),
  Event: fc.constantFrom('batch.status.changed', 'transaction.status.changed', '*'),
  Capture: fc.constantFrom(false, false, true),
  ExpiryDate: fc.constantFrom('10/30', '12/31', '11/29'),
  Image: fc.constantFrom('data:image/png;base64,AAAA'),
  Key: fc.constantFrom('pk_test_x', 'sk_test_x'),
  NetworkTokenId: fc.constantFrom('tok_approve', 'tok_insufficient_funds', 'tok_used', 'x'),
  Operation: fc.constantFrom('charge.create', 'customer.read', 'charge.refund'),
  Outcomes: fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 3 }),
  PayId: fc.constantFrom('jo@example.com', 'pending@payto.example'),
  RedirectUrl: fc.constantFrom('https://example.com/done', 'http://localhost:3000/'),
  State: fc.constantFrom('NSW'),
  Timeout: fc.constantFrom('1ms', '10s', '60s'),
  Token: token,
  Trigger: fc.constantFrom('header', 'card:*'),
  Url: fc.constantFrom('https://example.com/hook', 'http://localhost:3000/hooks'),
  'x-sandbox-fault': fc.constantFrom('reset', 'malformed', 'status=503', 'truncate', 'empty; phase=after'),
  'x-sandbox-outcome': fc.constantFrom(
    ...words`approve insufficient_funds issuer_unavailable provider_unavailable gateway_timeout`,
    'approve, delay=2s',
  ),
};

/** Values of a name that are taken, mostly; null: the schema says all. */
export function hintFor(name: string, schema: Schema): fc.Arbitrary<unknown> | null {
  if (Object.hasOwn(HINTS, name)) return HINTS[name] ?? null;
  const { enum: allowed, examples, type } = schemaOf(schema);
  if (allowed !== undefined || type === 'boolean') return null;
  const known = [...(examples ?? []), ...(EXAMPLES.get(name) ?? [])];
  return known.length === 0 ? null : fc.constantFrom(...known);
}

/** What each action happens to. */
const ACTS_ON: readonly (readonly [action: string, pool: string])[] = [
  ['batch.fail', 'BatchId'],
  ['vault.expire', 'VaultId'],
  ['authorisation.expire', 'ChargeId'],
  ['charge.settle', 'ChargeId'],
  ['payto.activate', 'PaymentMethodId'],
  ['token.expire', 'TokenId'],
];

/** Whole bodies whose members have to do with each other, by operation. */
export const BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  chargeApple: fc.record({
    Amount: fc.constantFrom('15.50', 20),
    Token: fc.constantFrom('Visa', 'AmEx', 'none').map((Network) => ({
      PaymentData: { Data: 'AbCd', Header: { TransactionId: 'a' } },
      PaymentMethod: { Network },
    })),
  }),
  chargeGoogle: fc.record({
    Amount: fc.constantFrom('15.50', 20),
    Token: fc.constantFrom('VISA', 'AMEX', 'none').map((CardNetwork) => ({
      PaymentMethodData: { Info: { CardNetwork }, TokenizationData: { Token: 'AbCd' } },
    })),
  }),
  createMethodFromVault: fc.record({
    ProviderId: identifierOf('ProviderId'),
    VaultId: identifierOf('VaultId'),
    ExpiryDate: fc.constant('10/30'),
  }),
  createTransfers: fc.record({
    GroupReference: fc.string({ minLength: 4, maxLength: 8, unit: 'grapheme-ascii' }),
    ProviderId: identifierOf('ProviderId'),
    ChargeId: identifierOf('ChargeId'),
    Transfers: fc.constantFrom(1, '0.5').map((Amount) => [{ Account: 'acct-1', Amount, Currency: 'AUD' }]),
  }),
  putState: fc.constant(new Ref('State', 0)),
  openFile: fc.constant(new Ref('State', 0)),
  simulate: fc.oneof(
    ...ACTS_ON.map(([Action, pool]) => fc.record({ Action: fc.constant(Action), Ref: identifierOf(pool) })),
  ),
};
