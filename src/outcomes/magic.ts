import type { PayToStatus } from '../records/payment-method.js';

/** The operations of a provider. Bank accounts and agreements use the `card.` operations as well. */
export type ProviderOperation =
  | 'charge.create'
  | 'charge.capture'
  | 'charge.void'
  | 'charge.refund'
  | 'charge.settle'
  | 'card.tokenise'
  | 'card.store';

/** The issuer's answer to an authentication: success, a challenge for the payer, failure, or no answer. */
export type AuthenticationResult = 'frictionless' | 'challenge' | 'failed' | 'unavailable';

/** A published test card. Operations that are not in `on` are approved. */
export interface MagicCard {
  readonly number: string;
  readonly scheme: string;
  readonly effect: string;
  /** Outcome names for each operation, one per call. The last one repeats. */
  readonly on?: Readonly<Partial<Record<ProviderOperation, readonly string[]>>>;
  /** The issuer's answer to a 3-D Secure authentication; by default it depends on the charge. */
  readonly authentication?: AuthenticationResult;
  /** The issuer reports that the Ccv does not match, but approves the charge. */
  readonly ccvMismatch?: true;
  /** The charge is committed and the connection closed without an answer. */
  readonly hangUp?: true;
}

// oxfmt-ignore
export const MAGIC_CARDS: readonly MagicCard[] = [
  { number: '4242424242424242', scheme: 'Visa', effect: 'approve' },
  { number: '4111111111111111', scheme: 'Visa', effect: 'approve' },
  { number: '4000056655665556', scheme: 'Visa debit', effect: 'approve' },
  { number: '5555555555554444', scheme: 'Mastercard', effect: 'approve' },
  { number: '5200828282828210', scheme: 'Mastercard debit', effect: 'approve' },
  { number: '378282246310005', scheme: 'Amex', effect: 'approve' },
  { number: '6011111111111117', scheme: 'Discover', effect: 'approve' },
  { number: '3056930009020004', scheme: 'Diners', effect: 'approve' },
  { number: '3566002020360505', scheme: 'JCB', effect: 'approve' },
  { number: '6200000000000005', scheme: 'UnionPay', effect: 'approve' },
  buildDecliningVisa('4000000000000010', 'unmapped'),
  buildDecliningVisa('4000000000000002', 'do_not_honor'),
  buildDecliningVisa('4000000000009995', 'insufficient_funds'),
  buildDecliningVisa('4000000000009987', 'lost_card'),
  buildDecliningVisa('4000000000009979', 'stolen_card'),
  buildDecliningVisa('4000000000000069', 'expired_card'),
  { number: '4000000000000127', scheme: 'Visa', effect: 'incorrect_ccv on charge and when stored', on: { 'charge.create': ['incorrect_ccv'], 'card.store': ['incorrect_ccv'] } },
  buildDecliningVisa('4000000000000119', 'processing_error'),
  buildDecliningVisa('4000000000006975', 'limit_exceeded'),
  buildDecliningVisa('4100000000000019', 'blocked_by_fraud_rules'),
  buildDecliningVisa('4000000000000622', 'card_blocked'),
  buildDecliningVisa('4000000000000911', 'issuer_unavailable'),
  { number: '4000000000001133', scheme: 'Visa', effect: 'require_3ds on charge, until the payer passes a 3-D Secure challenge', on: { 'charge.create': ['require_3ds'] }, },
  { number: '4000000000002701', scheme: 'Visa', effect: 'require_3ds on charge, until 3-D Secure passes, without a challenge', on: { 'charge.create': ['require_3ds'] }, authentication: 'frictionless' },
  { number: '4000000000002925', scheme: 'Visa', effect: 'require_3ds on charge; 3-D Secure fails without a challenge, and the charge then fails with failed_3ds', on: { 'charge.create': ['require_3ds'] }, authentication: 'failed' },
  { number: '4000000000002313', scheme: 'Visa', effect: 'approve; 3-D Secure is unavailable', authentication: 'unavailable' },
  { number: '4000000000000341', scheme: 'Visa', effect: 'storing and tokenising succeed; every charge is do_not_honor', on: { 'charge.create': ['do_not_honor'] } },
  { number: '4000000000000424', scheme: 'Visa', effect: 'tokenising and storing fail with tokenise_error (code 42); direct charges are approved', on: { 'card.tokenise': ['tokenise_error'], 'card.store': ['tokenise_error'] } },
  { number: '4000000000000101', scheme: 'Visa', effect: 'approved, but CcvCheck is false', ccvMismatch: true },
  { number: '4000000000002222', scheme: 'Visa', effect: 'the first two charges are issuer_unavailable, later ones are approved (counted per world and card)', on: { 'charge.create': ['issuer_unavailable', 'issuer_unavailable', 'approve'] } },
  { number: '4000000000000473', scheme: 'Visa', effect: 'approved; then the capture fails with unable_to_capture', on: { 'charge.capture': ['unable_to_capture'] } },
  { number: '4000000000000481', scheme: 'Visa', effect: 'approved; then the void fails with unable_to_void', on: { 'charge.void': ['unable_to_void'] } },
  { number: '4000000000000457', scheme: 'Visa', effect: 'approved; then the refund fails with unable_to_refund', on: { 'charge.refund': ['unable_to_refund'] } },
  buildDecliningVisa('4000000000005027', 'provider_unavailable'),
  buildDecliningVisa('4000000000005043', 'gateway_timeout'),
  { number: '4000000000000374', scheme: 'Visa', effect: 'retry_later on charge, with Retry-After', on: { 'charge.create': ['retry_later'] } },
  { number: '4000000000004087', scheme: 'Visa', effect: 'the charge is committed, then the connection is closed without an answer', hangUp: true },
];

function buildDecliningVisa(number: string, outcome: string): MagicCard {
  return { number, scheme: 'Visa', effect: `${outcome} on charge`, on: { 'charge.create': [outcome] } };
}

export const CARD_PREFIX = 'card:';

const TEST_CARD_NUMBERS: ReadonlySet<string> = new Set(MAGIC_CARDS.map(({ number }) => number));

// Only cards with an effect have a trigger, so that an approving card costs nothing.
const TRIGGER_BY_NUMBER: ReadonlyMap<string, string> = new Map(
  MAGIC_CARDS.filter(hasEffect).map(({ number }) => [number, CARD_PREFIX + number]),
);

/** The trigger of a card number without spaces; null for other numbers, and for test cards that are always approved. */
export function findCardTrigger(pan: string): string | null {
  return TRIGGER_BY_NUMBER.get(pan) ?? null;
}

/** The first published test card of a scheme (in any letter case) that approves. */
export function findApprovingCard(scheme: string): string | undefined {
  const small = scheme.toLowerCase();
  return MAGIC_CARDS.find((card) => !hasEffect(card) && card.scheme.toLowerCase() === small)?.number;
}

/** Whether a number without spaces is a published test card, so that it need not be masked. */
export function isTestCard(pan: string): boolean {
  return TEST_CARD_NUMBERS.has(pan);
}

export function hasEffect({ on, ccvMismatch, hangUp, authentication }: Omit<MagicCard, 'scheme'>): boolean {
  return [on, ccvMismatch, hangUp, authentication].some((effect) => effect !== undefined);
}

/** A published test account, at any bank. */
export type MagicAccount = Omit<MagicCard, 'scheme'>;

// oxfmt-ignore
export const MAGIC_ACCOUNTS: readonly MagicAccount[] = [
  { number: '000123456', effect: 'PENDING, then SUCCESS when it settles' },
  { number: '000000002', effect: 'do_not_honor on charge', on: { 'charge.create': ['do_not_honor'] } },
  { number: '000009995', effect: 'PENDING, then FAILED with insufficient_funds when it settles', on: { 'charge.settle': ['insufficient_funds'] } },
];

export const ACCOUNT_PREFIX = 'account:';

/** The trigger of an account number without separators; null for numbers that are always approved. */
export function findAccountTrigger(account: string): string | null {
  const known = MAGIC_ACCOUNTS.find(({ number }) => number === account);
  return known?.on === undefined ? null : ACCOUNT_PREFIX + known.number;
}

/** Whether a number is a published test account, so that it need not be masked. */
export function isTestAccount(account: string): boolean {
  return MAGIC_ACCOUNTS.some(({ number }) => number === account);
}

/** The published PayIds. */
export const MAGIC_PAY_IDS: readonly { readonly payId: string; readonly effect: string }[] = [
  {
    payId: 'pending@payto.example',
    effect:
      'the agreement stays PENDING and its charges are refused (code 33), until you simulate payto.activate',
  },
];

/** The status of a new agreement. ACTIVE is our assumption: a real payer takes a while to approve. */
export function agreementStatus(payId: string): PayToStatus {
  return MAGIC_PAY_IDS.some((known) => known.payId === payId) ? 'PENDING' : 'ACTIVE';
}
