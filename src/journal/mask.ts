import { parseAccount } from '../core/cards/account.js';
import { normalisePan, parsePan, passesLuhn } from '../core/cards/card.js';
import { NumberText, isObject } from '../core/text/text.js';
import { HIDDEN, maskSecret, type SecretKind, findSecretKind } from '../core/text/secret-fields.js';
import { maskCredentials } from '../core/text/secrets.js';
import { isTestAccount, isTestCard } from '../outcomes/magic.js';
import { isOpenParameter, isSecretName, isVersionName, maskName } from './mask-names.js';
import {
  isDate,
  hasMask,
  isOwnText,
  maskAnywhere,
  maskNumber,
  mayMask,
  standInAnywhere,
} from './mask-values.js';

/** Shorter numbers have fewer than 13 digits. */
const CARD_NUMBER_MIN = 1e12;
/** The service refuses deeper values, so the journal leaves them out. */
const NESTING_MAX = 32;

type FieldMap = Readonly<Record<string, unknown>>;

/** Masks a body; the same object if it has no secret, which is the usual case. `standIns` gets what a replay sends for masked fields. */
export function maskBody(body: unknown, standIns: string[] | null = null): unknown {
  if (body === null || body === undefined) return null;
  // The service accepts only objects, so an array in a request may contain a bare card number.
  const isBareList = standIns !== null && Array.isArray(body) && body.length > 0;
  if (typeof body !== 'object' || body instanceof NumberText || isBareList) return HIDDEN;
  return maskValue(body, { standIns, isOwn: false, depth: 0 });
}

/** Where a value is in a body that is being masked. */
interface MaskedPlace {
  readonly standIns: string[] | null;
  /** Within a text or an object of the caller's own, such as `Metadata`. */
  readonly isOwn: boolean;
  readonly depth: number;
}

function maskValue(value: unknown, place: MaskedPlace): unknown {
  if (typeof value === 'string') return maskPlain(value, place);
  if (typeof value === 'number' || value instanceof NumberText) return maskPlainNumber(value, place);
  if (typeof value !== 'object' || value === null) return value;
  if (place.depth === NESTING_MAX) return null;
  const inner = { ...place, depth: place.depth + 1 };
  if (!Array.isArray(value)) return maskObject(value as FieldMap, inner);
  const masked = value.map((item) => maskValue(item, inner));
  return masked.some((item, n) => item !== value[n]) ? masked : value;
}

/** Masks the secrets in a text whose name does not show its kind. The caller's own texts may have numbers. */
function maskPlain(text: string, { standIns, isOwn }: MaskedPlace): string {
  if (!mayMask(text)) return text;
  const masked = isOwn ? maskCredentials(text) : maskAnywhere(text);
  if (hasMask(masked)) standIns?.push(isOwn ? masked : standInAnywhere(text, standInPan));
  return masked;
}

/** A card number is shown as a masked text, any other number as it is. */
function maskPlainNumber(value: number | NumberText, { standIns, isOwn }: MaskedPlace): string | number {
  const text = toScalarText(value) ?? '';
  const masked = isOwn || Math.abs(Number(text)) < CARD_NUMBER_MIN ? undefined : maskNumber(text);
  if (masked !== undefined) standIns?.push(standInAnywhere(text, standInPan));
  return masked ?? (value instanceof NumberText ? toPlainNumber(value) : value);
}

function maskObject(object: FieldMap, place: MaskedPlace): FieldMap {
  let copy: Record<string, unknown> | null = null;
  let hasSecretName = false;
  for (const name in object) {
    const value = object[name];
    const masked = maskField(name, value, place);
    hasSecretName ||= isSecretName(name);
    if (masked === value) continue;
    copy ??= { ...object };
    copy[name] = masked;
  }
  return hasSecretName ? maskNames(copy ?? object) : (copy ?? object);
}

function maskField(name: string, value: unknown, place: MaskedPlace): unknown {
  const kind = findSecretKind(name);
  if (kind === undefined)
    return maskValue(value, isOwnField(name, value, place) ? { ...place, isOwn: true } : place);
  if (value === null || value === undefined) return value;
  const text = toScalarText(value);
  if (text === undefined && !Array.isArray(value)) {
    if (kind === 'object') return maskValue(value, place);
    if (kind === 'secrets') return maskValue(hideParameters(value), place);
    if (kind === 'sealed') return maskValue(hideTexts(value), place);
  }
  const { standIns } = place;
  standIns?.push(makeStandIn(kind, value));
  return text === undefined ? HIDDEN : maskSecret(kind, text);
}

/** Whether a field is a text of the caller's own. Only asked for values that may be masked, because it takes time. */
function isOwnField(name: string, value: unknown, { isOwn }: Pick<MaskedPlace, 'isOwn'>): boolean {
  if (isOwn || value === null) return isOwn;
  if (typeof value === 'object') return isOwnText(name);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value);
  return mayMask(text) && (isOwnText(name) || isDate(name, text));
}

function toScalarText(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function toPlainNumber({ text }: NumberText): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

export function hideParameters(map: object): FieldMap {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, isOpenParameter(name) ? value : HIDDEN]),
  );
}

/** Masks the data that Apple encrypts: all texts except the version. */
function hideTexts(sealed: object): FieldMap {
  return Object.fromEntries(
    Object.entries(sealed).map(([name, value]) => [
      name,
      isObject(value) ? hideTexts(value) : value === null || isVersionName(name) ? value : HIDDEN,
    ]),
  );
}

function maskNames(object: FieldMap): FieldMap {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [maskName(name), value]));
}

/** A masked body as a replay sends it, with the stand-ins in place of masks. */
export function insertStandIns(body: unknown, stand: readonly string[]): unknown {
  let next = 0;
  const walk = (value: unknown, isSecret: boolean): unknown => {
    if (typeof value === 'string') return isSecret || hasMask(value) ? (stand[next++] ?? value) : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, false));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, walk(inner, findSecretKind(name) !== undefined)]),
    );
  };
  return walk(body, false);
}

/** Malformed values: a card number with a wrong check digit, an invalid Ccv, a card number with a digit too many. */
const WRONG_NUMBER = '4000000000000001';
const WRONG_CCV = 'x';
const WRONG_ACCOUNT = 'x';
const TOO_LONG = '4'.repeat(20);

/**
 * The card number that a replay sends in place of one that was sent. Published test cards stay. Any other becomes a number
 * with the same scheme, length, mask and behaviour. A malformed one becomes one with the same fault.
 */
export function standInPan(text: unknown): string {
  // The service accepts card numbers only as strings.
  if (typeof text !== 'string') return WRONG_NUMBER;
  if (isTestCard(text)) return text;
  const { pan, fault } = parsePan(text);
  if (pan !== undefined) return isTestCard(pan) ? pan : makeOrdinaryPan(pan);
  if (fault === 'number') return WRONG_NUMBER;
  const { length } = normalisePan(text) ?? text;
  return length > 19 ? TOO_LONG : '4'.repeat(length);
}

/** A number with the same first six and last four digits. In between, one digit is repeated, and another fixes the check digit. */
function makeOrdinaryPan(pan: string): string {
  const last = pan.slice(-4);
  for (let fill = 0; fill <= 9; fill++) {
    const head = pan.slice(0, 6) + String(fill).repeat(pan.length - 11);
    for (let digit = 0; digit <= 9; digit++) {
      const made = head + digit + last;
      if (passesLuhn(made) && made !== pan && !isTestCard(made)) return made;
    }
  }
  const detail = 'Failed to find a stand-in: ten fillings give ten numbers, at most two of which are taken.';
  throw new Error(detail);
}

/** The Ccv that a replay sends, with the same number of digits. A malformed one stays malformed. */
function standInCcv(text: unknown): string {
  if (typeof text !== 'string') return WRONG_CCV;
  if (/^\d{3}$/.test(text)) return '123';
  return /^\d{4}$/.test(text) ? '1234' : WRONG_CCV;
}

/** The account number that a replay sends, with the same length and last three characters. Never a test account. */
function standInAccount(text: unknown): string {
  const account = typeof text === 'string' ? parseAccount(text) : undefined;
  if (account === undefined) return WRONG_ACCOUNT;
  return isTestAccount(account) ? account : '9'.repeat(account.length - 3) + account.slice(-3);
}

/** The text that takes the place of a secret one. */
export function makeStandIn(kind: SecretKind, value: unknown): string {
  if (kind === 'card') return standInPan(value);
  if (kind === 'account') return standInAccount(value);
  return kind === 'ccv' ? standInCcv(value) : HIDDEN;
}
