import {
  ACCOUNT_PREFIX,
  MAGIC_ACCOUNTS,
  type MagicAccount,
  type AuthenticationResult,
  CARD_PREFIX,
  hasEffect,
  MAGIC_CARDS,
  type ProviderOperation,
} from './magic.js';
import { findTokenOutcomes, tokenTrigger } from './magic-tokens.js';
import {
  APPROVE,
  isApproved,
  FOLLOW_UP_OPERATIONS,
  requireOutcome,
  type Outcome,
  OUTCOMES,
} from './outcomes.js';

/** The effects of a trigger. */
export interface Behaviour {
  /** The outcomes of each operation, one per call; null where the provider decides. */
  readonly outcomes: Readonly<Record<ProviderOperation, readonly Outcome[] | null>>;
  readonly ccvMismatch: boolean;
  readonly hangUp: boolean;
  /** Null if it behaves like an ordinary card. */
  readonly authentication: AuthenticationResult | null;
}

const ALWAYS_APPROVE: readonly Outcome[] = [APPROVE];

/** Without the tokens that list several outcomes. */
const BEHAVIOUR_BY_TRIGGER: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ...MAGIC_CARDS.filter(hasEffect).map((row) => [CARD_PREFIX + row.number, buildRowBehaviour(row)] as const),
  ...MAGIC_ACCOUNTS.filter(hasEffect).map(
    (row) => [ACCOUNT_PREFIX + row.number, buildRowBehaviour(row)] as const,
  ),
  ...Array.from(OUTCOMES, ([name, outcome]) => [tokenTrigger(name), buildTokenBehaviour([outcome])] as const),
]);

/** The behaviour of a stored trigger; undefined if this version does not know it. */
export function findBehaviour(trigger: string): Behaviour | undefined {
  const known = BEHAVIOUR_BY_TRIGGER.get(trigger);
  if (known !== undefined) return known;
  const sequence = findTokenOutcomes(trigger);
  return sequence && buildTokenBehaviour(sequence);
}

function buildRowBehaviour({ on, ccvMismatch, hangUp, authentication }: MagicAccount): Behaviour {
  return {
    outcomes: listByOperation((operation) => on?.[operation]?.map(requireOutcome) ?? null),
    ccvMismatch: ccvMismatch === true,
    hangUp: hangUp === true,
    authentication: authentication ?? null,
  };
}

/** A trigger always decides charges and storage, but later operations on a charge only if it names them. */
function listByOperation(
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

function buildTokenBehaviour(sequence: readonly Outcome[]): Behaviour {
  const outcomes = listByOperation((operation) => {
    const acting = sequence.map((outcome) => (actsOn(outcome, operation) ? outcome : APPROVE));
    return acting.every(isApproved) ? null : acting;
  });
  return { outcomes, ccvMismatch: false, hangUp: false, authentication: null };
}

/** Whether an outcome in a token has an effect on an operation: most have one on the charge only. */
function actsOn({ name }: Outcome, operation: ProviderOperation): boolean {
  if (name === 'tokenise_error' && operation.startsWith('card.')) return true;
  return (FOLLOW_UP_OPERATIONS.get(name) ?? 'charge.create') === operation;
}
