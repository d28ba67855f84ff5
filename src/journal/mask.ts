import { parseAccount } from '../core/account.js';
import { maskPans, normalisePan, parsePan, passesLuhn } from '../core/card.js';
import { NumberText } from '../core/number-text.js';
import { isObject } from '../core/text.js';
import { isTestAccount } from '../outcomes/magic-accounts.js';
import { isTestCard } from '../outcomes/magic.js';
import { HIDDEN, isOpenParameter, isPanName, type Kind, kindOf, maskSecret } from './names.js';

/** Deeper values are left out. The service refuses them. */
const NESTING_MAX = 32;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Masks a body. Returns the same object if it contains no secret, as nearly all answers do. For each masked field, what a
 * replay sends for it is added to `standIns`, if given.
 */
export function maskBody(body: unknown, standIns: string[] | null = null): unknown {
  if (body === null || body === undefined) return null;
  // The service accepts only objects, so an array in a request may contain a bare card number.
  const isBareList = standIns !== null && Array.isArray(body) && body.length > 0;
  if (typeof body !== 'object' || body instanceof NumberText || isBareList) return HIDDEN;
  return maskValue(body, standIns, 0);
}

function maskValue(value: unknown, standIns: string[] | null, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberText) return plainNumber(value);
  if (depth === NESTING_MAX) return null;
  if (!Array.isArray(value)) return maskObject(value as JsonObject, standIns, depth + 1);
  const masked = value.map((item) => maskValue(item, standIns, depth + 1));
  return masked.some((item, n) => item !== value[n]) ? masked : value;
}

function maskObject(object: JsonObject, standIns: string[] | null, depth: number): JsonObject {
  let copy: Record<string, unknown> | null = null;
  let hasPanName = false;
  for (const name in object) {
    const value = object[name];
    const masked = maskField(name, value, standIns, depth);
    hasPanName ||= isPanName(name);
    if (masked === value) continue;
    copy ??= { ...object };
    copy[name] = masked;
  }
  return hasPanName ? maskNames(copy ?? object) : (copy ?? object);
}

function maskField(name: string, value: unknown, standIns: string[] | null, depth: number): unknown {
  const kind = kindOf(name);
  if (kind === 'plain') return maskValue(value, standIns, depth);
  if (value === null || value === undefined) return value;
  const text = textOf(value);
  if (text === undefined && !Array.isArray(value)) {
    if (kind === 'object') return maskValue(value, standIns, depth);
    if (kind === 'secrets') return maskValue(hideParameters(value), standIns, depth);
  }
  standIns?.push(standInOf(kind, value));
  return text === undefined ? HIDDEN : maskSecret(kind, text);
}

/** A text, or a number as text; undefined for anything else. */
function textOf(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function plainNumber({ text }: NumberText): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function hideParameters(map: object): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, isOpenParameter(name) ? value : HIDDEN]),
  );
}

function maskNames(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [maskName(name), value]));
}

/** Masks a name that contains a card number, also if letters are next to its digits. */
function maskName(name: string): string {
  const masked = maskPans(name);
  return masked === name ? name.replaceAll(/\d{12,}/g, (digits) => '*'.repeat(digits.length)) : masked;
}

/** A masked body as a replay sends it, with the stand-ins in place of masks. */
export function replayed(body: unknown, stand: readonly string[]): unknown {
  let next = 0;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, field(name, inner)]));
  };
  const field = (name: string, value: unknown): unknown => {
    const kind: Kind = kindOf(name);
    const isMasked = kind !== 'plain' && typeof value === 'string';
    return isMasked ? (stand[next++] ?? value) : walk(value);
  };
  return walk(body);
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
  if (pan !== undefined) return isTestCard(pan) ? pan : ordinaryPan(pan);
  if (fault === 'number') return WRONG_NUMBER;
  const { length } = normalisePan(text) ?? text;
  return length > 19 ? TOO_LONG : '4'.repeat(length);
}

/** A number with the same first six and last four digits. In between, one digit is repeated, and another fixes the check digit. */
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

/** What a replay sends for a masked field. */
export function standInOf(kind: Kind, value: unknown): string {
  if (kind === 'card') return standInPan(value);
  if (kind === 'account') return standInAccount(value);
  return kind === 'ccv' ? standInCcv(value) : HIDDEN;
}
