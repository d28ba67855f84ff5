import { DEFAULT_PROVIDER_ID } from './built-in.js';
import { ACCOUNT_PREFIX, MAGIC_ACCOUNTS, type MagicAccount } from './magic-accounts.js';
import {
  APPROVE,
  FOLLOW_UP_OPERATIONS,
  OUTCOMES,
  type Outcome,
  approved,
  describeUnknown,
  knownOutcome,
  outcomeNamed,
} from './outcomes.js';

/** What a provider can be asked to do; accounts and agreements are tokenised and stored like cards. */
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
  visaDeclining('4000000000000010', 'unmapped'),
  visaDeclining('4000000000000002', 'do_not_honor'),
  visaDeclining('4000000000009995', 'insufficient_funds'),
  visaDeclining('4000000000009987', 'lost_card'),
  visaDeclining('4000000000009979', 'stolen_card'),
  visaDeclining('4000000000000069', 'expired_card'),
  { number: '4000000000000127', scheme: 'Visa', effect: 'incorrect_ccv on charge and when stored', on: { 'charge.create': ['incorrect_ccv'], 'card.store': ['incorrect_ccv'] } },
  visaDeclining('4000000000000119', 'processing_error'),
  visaDeclining('4000000000006975', 'limit_exceeded'),
  visaDeclining('4100000000000019', 'blocked_by_fraud_rules'),
  visaDeclining('4000000000000622', 'card_blocked'),
  visaDeclining('4000000000000911', 'issuer_unavailable'),
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
  visaDeclining('4000000000005027', 'provider_unavailable'),
  visaDeclining('4000000000005043', 'gateway_timeout'),
  { number: '4000000000000374', scheme: 'Visa', effect: 'retry_later on charge, with Retry-After', on: { 'charge.create': ['retry_later'] } },
  { number: '4000000000004087', scheme: 'Visa', effect: 'the charge is committed, then the connection is closed without an answer', hangUp: true },
];

function visaDeclining(number: string, outcome: string): MagicCard {
  return { number, scheme: 'Visa', effect: `${outcome} on charge`, on: { 'charge.create': [outcome] } };
}

export const MAGIC_TOKEN_PAN = '4111111111111111';

const TOKEN_PREFIX = 'tok_';
/** How many outcomes one token text may list: our own limit, so that a stored text stays short. */
export const TOKEN_OUTCOMES_MAX = 20;

// Tokens that are refused with code 51, without asking for an outcome.
const REFUSED_TOKENS: ReadonlyMap<string, 'used' | 'expired'> = new Map([
  ['tok_used', 'used'],
  ['tok_expired', 'expired'],
]);

export const MAGIC_TOKENS: readonly { readonly token: string; readonly effect: string }[] = [
  {
    token: 'tok_<outcome>',
    effect: `a fresh token each time, for the card ${MAGIC_TOKEN_PAN} with that outcome`,
  },
  { token: 'tok_<outcome>|<outcome>|…', effect: 'one outcome per call; the last one repeats' },
  ...Array.from(REFUSED_TOKENS, ([token, reason]) => ({ token, effect: `refused as ${reason} (code 51)` })),
];

/** The magic tokens: one for each outcome, and those that are refused. */
export const MAGIC_TOKEN_NAMES: readonly string[] = [
  ...Array.from(OUTCOMES.keys(), (name) => TOKEN_PREFIX + name),
  ...REFUSED_TOKENS.keys(),
];

export interface MagicToken {
  readonly trigger: string;
  readonly pan: string;
  readonly providerId: string;
}

/** A usable token, one that is refused with code 51, or a malformed one. */
export type MagicTokenResult =
  | { readonly kind: 'token'; readonly token: MagicToken }
  | { readonly kind: 'refused'; readonly reason: 'used' | 'expired' }
  | { readonly kind: 'fault'; readonly detail: string };

/** The effect of a trigger. Null for an operation: the provider decides. */
export interface Behaviour {
  readonly outcomes: Readonly<Record<ProviderOperation, readonly Outcome[] | null>>;
  readonly ccvMismatch: boolean;
  readonly hangUp: boolean;
  /** Null: as for an ordinary card. */
  readonly authentication: AuthenticationResult | null;
}

const ALWAYS_APPROVE: readonly Outcome[] = [APPROVE];

// The operations on which an outcome in a token has an effect. The others have one on the charge only.
const ACTS_ON: ReadonlyMap<string, readonly ProviderOperation[]> = new Map<
  string,
  readonly ProviderOperation[]
>([
  ['tokenise_error', ['charge.create', 'card.tokenise', 'card.store']],
  ...Array.from(FOLLOW_UP_OPERATIONS, ([outcome, operation]) => [outcome, [operation]] as const),
]);
const ACTS_ON_CHARGE: readonly ProviderOperation[] = ['charge.create'];

const CARD_PREFIX = 'card:';
const TOKEN_TRIGGER_PREFIX = 'token:';

const CARDS_BY_NUMBER: ReadonlyMap<string, MagicCard> = new Map(
  MAGIC_CARDS.map((card) => [card.number, card]),
);

// Only cards with an effect have a trigger, so that an approving card costs nothing.
const TRIGGER_BY_NUMBER: ReadonlyMap<string, string> = new Map(
  MAGIC_CARDS.filter(hasEffect).map((card) => [card.number, CARD_PREFIX + card.number]),
);

const BEHAVIOUR_BY_TRIGGER: ReadonlyMap<string, Behaviour> = new Map([
  ...MAGIC_CARDS.filter(hasEffect).map((card) => [CARD_PREFIX + card.number, cardBehaviour(card)] as const),
  ...MAGIC_ACCOUNTS.filter(hasEffect).map(
    (account) => [ACCOUNT_PREFIX + account.number, cardBehaviour(account)] as const,
  ),
  ...Array.from(
    OUTCOMES.values(),
    (outcome) =>
      [`${TOKEN_TRIGGER_PREFIX}${TOKEN_PREFIX}${outcome.name}`, tokenBehaviour([outcome])] as const,
  ),
]);

/** The trigger of a card number without spaces; null for other numbers, and for test cards that are always approved. */
export function cardTrigger(pan: string): string | null {
  return TRIGGER_BY_NUMBER.get(pan) ?? null;
}

/** The first published test card of a scheme (in any letter case) that approves. */
export function approvingCard(scheme: string): string | undefined {
  const small = scheme.toLowerCase();
  return MAGIC_CARDS.find((card) => !hasEffect(card) && card.scheme.toLowerCase() === small)?.number;
}

/** Whether a number without spaces is a published test card, so that it need not be masked. */
export function isTestCard(pan: string): boolean {
  return CARDS_BY_NUMBER.has(pan);
}

/** Reads a magic token; undefined if it does not begin with `tok_`. */
export function readMagicToken(text: string): MagicTokenResult | undefined {
  if (!text.startsWith(TOKEN_PREFIX)) return undefined;
  const reason = REFUSED_TOKENS.get(text);
  if (reason !== undefined) return { kind: 'refused', reason };
  const sequence = readSequence(text);
  if (typeof sequence === 'string') return { kind: 'fault', detail: sequence };
  const trigger = TOKEN_TRIGGER_PREFIX + text;
  return { kind: 'token', token: { trigger, pan: MAGIC_TOKEN_PAN, providerId: DEFAULT_PROVIDER_ID } };
}

/** The effect of a stored trigger; undefined if this version does not know it. */
export function behaviourOf(trigger: string): Behaviour | undefined {
  const known = BEHAVIOUR_BY_TRIGGER.get(trigger);
  if (known !== undefined) return known;
  if (!trigger.startsWith(TOKEN_TRIGGER_PREFIX + TOKEN_PREFIX)) return undefined;
  const sequence = readSequence(trigger.slice(TOKEN_TRIGGER_PREFIX.length));
  return typeof sequence === 'string' ? undefined : tokenBehaviour(sequence);
}

/** The outcomes in a token, or an error message. */
function readSequence(text: string): Outcome[] | string {
  const names = text.slice(TOKEN_PREFIX.length).split('|');
  if (names.length > TOKEN_OUTCOMES_MAX) {
    return `A token can list at most ${TOKEN_OUTCOMES_MAX} outcomes, not ${names.length}`;
  }
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const outcome = outcomeNamed(name);
    if (outcome === undefined) return `The token names an unknown outcome ${describeUnknown(name)}`;
    outcomes.push(outcome);
  }
  return outcomes;
}

function hasEffect(card: MagicAccount): boolean {
  return (
    card.on !== undefined ||
    card.ccvMismatch === true ||
    card.hangUp === true ||
    card.authentication !== undefined
  );
}

function cardBehaviour(card: MagicAccount): Behaviour {
  return {
    outcomes: outcomesByOperation((operation) => card.on?.[operation]?.map(knownOutcome) ?? null),
    ccvMismatch: card.ccvMismatch === true,
    hangUp: card.hangUp === true,
    authentication: card.authentication ?? null,
  };
}

/** A trigger always decides charges and storage, but later operations on a charge only if it names them. */
function outcomesByOperation(
  on: (operation: ProviderOperation) => readonly Outcome[] | null,
): Behaviour['outcomes'] {
  return {
    'charge.create': on('charge.create') ?? ALWAYS_APPROVE,
    'charge.capture': on('charge.capture'),
    'charge.void': on('charge.void'),
    'charge.refund': on('charge.refund'),
    'charge.settle': on('charge.settle'),
    'card.tokenise': on('card.tokenise') ?? ALWAYS_APPROVE,
    'card.store': on('card.store') ?? ALWAYS_APPROVE,
  };
}

function tokenBehaviour(sequence: readonly Outcome[]): Behaviour {
  const outcomes = outcomesByOperation((operation) => {
    const acting = sequence.map((outcome) => (actsOn(outcome, operation) ? outcome : APPROVE));
    return acting.every(approved) ? null : acting;
  });
  return { outcomes, ccvMismatch: false, hangUp: false, authentication: null };
}

function actsOn(outcome: Outcome, operation: ProviderOperation): boolean {
  return (ACTS_ON.get(outcome.name) ?? ACTS_ON_CHARGE).includes(operation);
}
