import { isMaskedAccount, maskAccount, parseAccount } from '../cards/account.js';
import { maskPan, normalisePan } from '../cards/card.js';
import { parseWholeDigits } from '../cards/spelling.js';

export const HIDDEN = '***';

/** The content of a field, as its name shows it. */
export type SecretKind = 'card' | 'account' | 'ccv' | 'secret' | 'secrets' | 'sealed' | 'object';

/** The names of secret fields, by their letters in lower case. */
const SECRET_NAMES: Readonly<Record<SecretKind, string>> = {
  card: 'cardnumber cardno cardnum cardpan creditcard creditcardno creditcardnumber debitcardnumber ccnumber ccno pan primaryaccountnumber',
  account: 'accountnumber',
  ccv: 'ccv cvv cvc cvn csc ccvcode cvvcode cvccode cardccv cardcvv cardcvc cardcode cardsecuritycode cardverificationcode cardverificationvalue securitycode verificationvalue',
  secret:
    'authorization authorisation proxyauthorization secret secretkey xsecretkey clientsecret webhooksecret password privatekey apikey xapikey apisecret accesskey secretaccesskey accesstoken refreshtoken bearertoken authtoken admintoken sandboxadmin publickey xpublickey',
  // The credentials of a provider, such as a password.
  secrets: 'authenticationparameters',
  // The part of a token that Apple encrypts and signs.
  sealed: 'paymentdata',
  // A string in place of this object may contain a card or an account.
  object: 'paymentinformation bankpaymentinformation',
};

const KIND_BY_NAME: ReadonlyMap<string, SecretKind> = new Map(
  Object.entries(SECRET_NAMES).flatMap(([kind, words]) =>
    words.split(' ').map((letters) => [letters, kind as SecretKind] as const),
  ),
);

/** How the names of many headers begin: `X-Api-Key`. */
const HEADER_PREFIX = /^(?:x[-_])+/i;

/** The kind of a secret field, however its name is written: `Card_Number`, `CARD-NUMBER`, `cvv2`. Undefined for other fields. */
export function findSecretKind(name: string): SecretKind | undefined {
  return KIND_BY_NAME.get(keepLetters(name.replace(HEADER_PREFIX, '')));
}

export function keepLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Names of credentials in a text that is not parsed: the source of a regular expression. */
export const CREDENTIAL_NAMES = SECRET_NAMES.secret
  .split(' ')
  .map((letters) => letters.split('').join('[ _-]?'))
  .join('|');

/** The masked text of a secret field. */
export function maskSecret(kind: SecretKind, text: string): string {
  if (kind === 'card') return maskCard(text);
  return kind === 'account' ? maskAccountText(text) : HIDDEN;
}

/** A masked number, which stays unchanged. */
const MASKED = /^\d{0,6}\*+\d{0,4}$/;

/** The masked text of a card field. Anything but a card number is hidden completely. */
function maskCard(text: string): string {
  const pan = normalisePan(text) ?? parseWholeDigits(text);
  if (pan !== undefined) return maskPan(pan);
  return MASKED.test(text) ? text : HIDDEN;
}

/** The masked text of an account number. Anything else is hidden completely. */
function maskAccountText(text: string): string {
  const account = parseAccount(text);
  if (account !== undefined) return maskAccount(account);
  return isMaskedAccount(text) ? text : HIDDEN;
}
