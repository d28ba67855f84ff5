import { CODE, refuseField } from '../../core/errors.js';
import { endSentence } from '../../core/text/text.js';
import { whyForeignPattern, whyNeverMatches, whyImpossibleAmount } from '../../records/field-values.js';
import { bareProviderId } from '../../records/provider.js';
import { CARD_ACCEPTED, PROVIDER, parseCardPattern, whyNoCard } from '../script/possible.js';
import type { QueueEntry } from '../script/queue.js';
import { missingInCalls } from './testable.js';

/** The fields of a queue's match, and what of a call they test. */
const TESTED = {
  reference: ['Match.Reference', 'reference'],
  providerId: ['Match.ProviderId', 'provider'],
  cardNumber: ['Match.CardNumber', 'card'],
  amount: ['Match.Amount', 'amount'],
} as const;

/** Refuses a queue whose match no call can have. Returns what in it looks like a mistake. */
export function vetMatch({ operation, match }: Pick<QueueEntry, 'operation' | 'match'>): readonly string[] {
  const { reference = '', providerId, cardNumber, amount } = match;
  for (const name of Object.keys(match) as (keyof typeof match)[]) {
    const [field, tested] = TESTED[name];
    const missing = missingInCalls([operation], [tested]);
    if (missing.length > 0)
      refuseMatch(field, `can never match, because calls of ${operation} have no ${tested}`);
  }
  refuseMatch(
    'Match.ProviderId',
    providerId === undefined ? null : whyNeverMatches(PROVIDER, bareProviderId(providerId)),
  );
  refuseMatch('Match.CardNumber', cardNumber === undefined ? null : whyNoCardText(cardNumber));
  const doubts = {
    'Match.Reference': whyForeignPattern(reference),
    'Match.Amount': amount === undefined ? null : whyImpossibleAmount(Number(amount), null),
  };
  return Object.entries(doubts).flatMap(([field, why]) => (why === null ? [] : [`${field} ${why}`]));
}

function refuseMatch(field: string, why: string | null): void {
  if (why !== null) refuseField(CODE.ValidationError, field, why, endSentence(`${field} ${why}`));
}

function whyNoCardText(card: string): string | null {
  const read = parseCardPattern(card);
  if (read === undefined) return `must be ${CARD_ACCEPTED}`;
  return typeof read === 'string' ? whyNoCard(read) : read.message;
}
