import { parseAccount } from '../core/account.js';
import { normalisePan, parsePan, passesLuhn } from '../core/card.js';
import { isTestAccount } from '../outcomes/magic-accounts.js';
import { isTestCard } from '../outcomes/magic.js';
import { HIDDEN, type Kind } from './names.js';

/** Malformed ones: with a wrong check digit, no Ccv, and with one digit more than a card has. */
const WRONG_NUMBER = '4000000000000001';
const WRONG_CCV = 'x';
const WRONG_ACCOUNT = 'x';
const TOO_LONG = '4'.repeat(20);

/**
 * The card number that a replay sends for one that was sent: published test cards stay, any other becomes a number
 * of the same scheme, length and mask that behaves alike. A malformed one becomes one that is malformed alike.
 */
export function standInPan(text: unknown): string {
  // The service takes card numbers as texts alone.
  if (typeof text !== 'string') return WRONG_NUMBER;
  if (isTestCard(text)) return text;
  const { pan, fault } = parsePan(text);
  if (pan !== undefined) return isTestCard(pan) ? pan : ordinaryPan(pan);
  if (fault === 'number') return WRONG_NUMBER;
  const { length } = normalisePan(text) ?? text;
  return length > 19 ? TOO_LONG : '4'.repeat(length);
}

/** The same first six and last four digits; between them one digit over and over, but for the one that fits. */
function ordinaryPan(pan: string): string {
  const last = pan.slice(-4);
  for (let fill = 0; fill <= 9; fill++) {
    const head = pan.slice(0, 6) + String(fill).repeat(pan.length - 11);
    for (let digit = 0; digit <= 9; digit++) {
      const made = head + digit + last;
      if (passesLuhn(made) && made !== pan && !isTestCard(made)) return made;
    }
  }
  throw new Error(
    'Failed to find a stand-in: ten fillings give ten numbers, at most two of which are taken.',
  );
}

/** The Ccv that a replay sends: four digits stay four, and a malformed one stays malformed. */
function standInCcv(text: unknown): string {
  if (typeof text !== 'string') return WRONG_CCV;
  if (/^\d{3}$/.test(text)) return '123';
  return /^\d{4}$/.test(text) ? '1234' : WRONG_CCV;
}

/** The account number that a replay sends: the same length and last three characters, and never a test account. */
function standInAccount(text: unknown): string {
  const account = typeof text === 'string' ? parseAccount(text) : undefined;
  if (account === undefined) return WRONG_ACCOUNT;
  return isTestAccount(account) ? account : '9'.repeat(account.length - 3) + account.slice(-3);
}

/** What a replay sends for a field that is not plain. */
export function standInOf(kind: Kind, value: unknown): string {
  if (kind === 'card') return standInPan(value);
  if (kind === 'account') return standInAccount(value);
  return kind === 'ccv' ? standInCcv(value) : HIDDEN;
}
