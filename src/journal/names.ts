import { isMaskedAccount, maskAccount, parseAccount } from '../core/cards/account.js';
import { maskPan, maskPans, normalisePan } from '../core/cards/card.js';
import { maskKeys, maskPasswords, maskSecrets } from '../core/text/secrets.js';
import { isDate, isOwnText, lettersOf, maskAnywhere, mayMask } from './values.js';

export const HIDDEN = '***';

/** The kind of a value, as the name of its field shows it. */
export type Kind =
  | 'plain'
  | 'card'
  | 'account'
  | 'ccv'
  | 'secret'
  | 'secrets'
  | 'sealed'
  | 'object'
  /** A plain field whose text has a card number or a key. */
  | 'marked';

/** The kinds of names, by their letters in lower case. */
const KINDS: Readonly<Record<Exclude<Kind, 'plain' | 'marked'>, string>> = {
  card: 'cardnumber cardno cardnum cardpan creditcard creditcardno creditcardnumber debitcardnumber ccnumber ccno pan primaryaccountnumber',
  account: 'accountnumber',
  ccv: 'ccv cvv cvc cvn csc ccvcode cvvcode cvccode cardccv cardcvv cardcvc cardcode cardsecuritycode cardverificationcode cardverificationvalue securitycode verificationvalue',
  secret:
    'authorization authorisation proxyauthorization secret secretkey xsecretkey clientsecret webhooksecret password privatekey apikey xapikey apisecret accesskey secretaccesskey accesstoken refreshtoken bearertoken authtoken admintoken sandboxadmin publickey xpublickey',
  // The credentials of a provider, such as a password.
  secrets: 'authenticationparameters',
  // What Apple encrypts and signs.
  sealed: 'paymentdata',
  // A string in place of this object may contain a card or an account.
  object: 'paymentinformation bankpaymentinformation',
};

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words.split(' ').map((letters) => [letters, kind as Kind] as const),
  ),
);

/** How the names of many headers begin: `X-Api-Key`. */
const OF_HEADER = /^(?:x[-_])+/i;

/** The kind of a field, however its name is written: `Card_Number`, `CARD-NUMBER`, `cvv2`. */
export function kindOf(name: string): Kind {
  return KIND_OF.get(lettersOf(name.replace(OF_HEADER, ''))) ?? 'plain';
}

/** Whether a field in a map of secrets is not a secret: the latency of a dummy provider. */
export function isOpenParameter(name: string): boolean {
  return /^(?:min|max)milliseconds$/.test(lettersOf(name));
}

export function isVersion(name: string): boolean {
  return lettersOf(name) === 'version';
}

export function beginsWithDigit(name: string): boolean {
  return /^\d/.test(name);
}

/** Whether a name is a misplaced card number or key, or has one in it. */
export function isSecretName(name: string): boolean {
  return name.length >= 12 && (beginsWithDigit(name) || mayMask(name)) && maskName(name) !== name;
}

/** Masks the card numbers and keys in a name, also if letters are next to the digits. */
export function maskName(name: string): string {
  const masked = maskKeys(maskPans(name));
  return masked === name ? name.replaceAll(/\d{12,}/g, (digits) => '*'.repeat(digits.length)) : masked;
}

/** A masked number, which stays unchanged. */
const MASKED = /^\d{0,6}\*+\d{0,4}$/;

/** The masked text of a card field. Anything but a card number is hidden completely. */
function maskCard(text: string): string {
  const pan = normalisePan(text);
  if (pan !== undefined) return maskPan(pan);
  return MASKED.test(text) ? text : HIDDEN;
}

/** The masked text of an account number. Anything else is hidden completely. */
function maskAccountText(text: string): string {
  const account = parseAccount(text);
  if (account !== undefined) return maskAccount(account);
  return isMaskedAccount(text) ? text : HIDDEN;
}

/** The masked text of a field that is not plain. */
export function maskSecret(kind: Kind, text: string): string {
  if (kind === 'card') return maskCard(text);
  if (kind === 'marked') return maskAnywhere(text);
  return kind === 'account' ? maskAccountText(text) : HIDDEN;
}

/** A path as it was sent. If it contains a card number or a key, the decoded path with these masked. */
export function maskPath(path: string): string {
  const plain = path.includes('%') ? decoded(path) : path;
  const masked = maskSecrets(plain);
  return masked === plain ? path : masked;
}

/** Masks the values of card and Ccv fields in a query, and card numbers elsewhere in it. */
export function maskQuery(query: string): string {
  return query === '' ? query : query.split('&').map(maskParameter).join('&');
}

function maskParameter(parameter: string): string {
  const mark = parameter.indexOf('=');
  const rawName = mark < 0 ? parameter : parameter.slice(0, mark);
  const name = decoded(rawName.replaceAll('+', ' '));
  const value = mark < 0 ? '' : decoded(parameter.slice(mark + 1).replaceAll('+', ' '));
  const maskedName = maskSecrets(name);
  const masked = value === '' ? value : maskValue(name, value);
  if (masked === value && maskedName === name) return parameter;
  return `${maskedName === name ? rawName : encodeURIComponent(maskedName)}=${encodeURIComponent(masked)}`;
}

function maskValue(name: string, value: string): string {
  const kind = kindOf(name);
  if (kind === 'card' && isBeginning(value)) return maskBeginning(value);
  if (kind !== 'plain') return maskSecret(kind, value);
  const isOwn = isOwnText(name) || isDate(name, value);
  return isOwn ? maskPasswords(maskKeys(value)) : maskSecrets(value);
}

/** Whether a searched text is the beginning of a card number, too short to be masked at both ends. */
function isBeginning(text: string): boolean {
  return /^\d{1,8}$/.test(text);
}

/** Keeps the scheme and the bank, which are not secret, so that a replayed search finds the same. */
function maskBeginning(digits: string): string {
  return digits.slice(0, 6).padEnd(digits.length, '*');
}

/** Decodes a text; returns it unchanged if that fails. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
