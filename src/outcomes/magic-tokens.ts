import { isCardType, PAYMENT_TYPES, type PaymentType } from '../core/cards/payment-type.js';
import { findNearest } from '../core/text/nearest.js';
import { quoteText } from '../core/text/text.js';
import { DEFAULT_PROVIDER_ID } from './built-in.js';
import { describeUnknownOutcome, OUTCOMES, type Outcome, findOutcome } from './outcomes.js';

export const MAGIC_TOKEN_PAN = '4111111111111111';

const TOKEN_PREFIX = 'tok_';
/** How many outcomes one token text may list: our own limit, so that a stored text stays short. */
export const TOKEN_OUTCOMES_MAX = 20;

/** Tokens that are refused with code 51, and why. */
const REFUSED_TOKENS: ReadonlyMap<string, 'used' | 'expired'> = new Map([
  ['tok_used', 'used'],
  ['tok_expired', 'expired'],
]);

/** The payment type by the name that follows `tok_`. */
const TYPE_BY_NAME: ReadonlyMap<string, PaymentType> = new Map(
  PAYMENT_TYPES.map((type) => [type.toLowerCase(), type]),
);

/** A token that decides no outcome, like an ordinary card. */
export function typeToken(type: PaymentType): string {
  return TOKEN_PREFIX + type.toLowerCase();
}

export const MAGIC_TOKENS: readonly { readonly token: string; readonly effect: string }[] = [
  {
    token: 'tok_<outcome>',
    effect: `a fresh token each time, for the card ${MAGIC_TOKEN_PAN} with that outcome`,
  },
  { token: 'tok_<outcome>|<outcome>|…', effect: 'one outcome per call; the last one repeats' },
  ...PAYMENT_TYPES.map((type) => ({ token: typeToken(type), effect: `a payment of the type ${type}` })),
  { token: 'tok_<type>|<outcome>|…', effect: 'a payment of that type, with these outcomes' },
  ...Array.from(REFUSED_TOKENS, ([token, reason]) => ({ token, effect: `refused as ${reason} (code 51)` })),
];

/** Without the tokens that list several outcomes. */
export const MAGIC_TOKEN_NAMES: readonly string[] = [
  ...Array.from(OUTCOMES.keys(), (name) => TOKEN_PREFIX + name),
  ...PAYMENT_TYPES.map(typeToken),
  ...REFUSED_TOKENS.keys(),
];

export interface MagicToken {
  readonly type: PaymentType;
  /** Null without an outcome. */
  readonly trigger: string | null;
  /** Null if the type has no card. */
  readonly pan: string | null;
  readonly providerId: string;
}

/** An approving card. */
export const ORDINARY_TOKEN: MagicToken = {
  type: 'CARD',
  trigger: null,
  pan: MAGIC_TOKEN_PAN,
  providerId: DEFAULT_PROVIDER_ID,
};

/** A usable token, one that is refused with code 51, or a malformed one. */
type MagicTokenResult =
  | { readonly kind: 'token'; readonly token: MagicToken }
  | { readonly kind: 'refused'; readonly reason: 'used' | 'expired' }
  | { readonly kind: 'fault'; readonly detail: string };

const TRIGGER_PREFIX = 'token:';

/** The trigger of a token; `outcomes` is what follows `tok_`. */
export function tokenTrigger(outcomes: string): string {
  return TRIGGER_PREFIX + TOKEN_PREFIX + outcomes;
}

/** Reads a magic token; undefined if it does not begin with `tok_`. */
export function readMagicToken(text: string): MagicTokenResult | undefined {
  if (!text.startsWith(TOKEN_PREFIX)) return undefined;
  const reason = REFUSED_TOKENS.get(text);
  if (reason !== undefined) return { kind: 'refused', reason };
  const sequence = readSequence(text);
  if (typeof sequence === 'string') return { kind: 'fault', detail: sequence };
  const { type, outcomes } = sequence;
  const trigger = outcomes.length === 0 ? null : TRIGGER_PREFIX + text;
  const pan = isCardType(type) ? MAGIC_TOKEN_PAN : null;
  return { kind: 'token', token: { type, trigger, pan, providerId: DEFAULT_PROVIDER_ID } };
}

/** The outcomes of a token's trigger; undefined for any other trigger. */
export function findTokenOutcomes(trigger: string): readonly Outcome[] | undefined {
  if (!trigger.startsWith(tokenTrigger(''))) return undefined;
  const sequence = readSequence(trigger.slice(TRIGGER_PREFIX.length));
  return typeof sequence === 'string' || sequence.outcomes.length === 0 ? undefined : sequence.outcomes;
}

function describeUnknownName(name: string, type: PaymentType | undefined): string {
  const [near] = type === undefined ? findNearest(name, TYPE_BY_NAME.keys(), 1) : [];
  if (near === undefined) return `The token names an unknown outcome ${describeUnknownOutcome(name)}`;
  return `There is no payment type ${quoteText(name)}; did you mean ${TOKEN_PREFIX}${near}?`;
}

/** The payment type and the outcomes in a token, or an error message. */
function readSequence(text: string): { type: PaymentType; outcomes: readonly Outcome[] } | string {
  const names = text.slice(TOKEN_PREFIX.length).split('|');
  const type = TYPE_BY_NAME.get(names[0] ?? '');
  if (type !== undefined) names.shift();
  if (names.length > TOKEN_OUTCOMES_MAX) {
    return `A token can list at most ${TOKEN_OUTCOMES_MAX} outcomes, not ${names.length}`;
  }
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const outcome = findOutcome(name);
    if (outcome === undefined) return describeUnknownName(name, type);
    outcomes.push(outcome);
  }
  return { type: type ?? 'CARD', outcomes };
}
