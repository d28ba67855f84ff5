import { maskPans } from '../core/card.js';
import {
  cutText,
  HIDDEN,
  isOpenParameter,
  isPanName,
  isSuspect,
  type Kind,
  kindOf,
  maskMember,
} from './names.js';
import { MEMBER_COST, NESTING_MAX, SCALAR_COST, Scanner } from './scan.js';
import { standInOf } from './stand-in.js';

/** How much of a body is kept, in characters of its JSON: our own limit. */
export const BODY_MAX = 16 * 1024;

const NONE: readonly string[] = [];

type JsonObject = Record<string, unknown>;

/**
 * Masks bodies before they are kept. What holds no secret is kept as it is, not copied: bodies are not
 * changed once they were read. The members tell of the body that was masked last.
 */
export class Masker {
  truncated = false;
  /** Stand-ins for the masked members, in their order; none unless asked for. */
  stand: readonly string[] = NONE;
  /** Characters of the JSON that is kept, about. */
  size = 0;
  readonly #scanner = new Scanner();
  #left = 0;
  #wantsStand = false;

  body(value: unknown, wantsStand: boolean): unknown {
    this.truncated = false;
    this.stand = NONE;
    this.size = 0;
    if (value === null || value === undefined) return null;
    // The service answers objects and lists of them, and takes objects alone: what else was sent may be a bare card number.
    const isBareList = wantsStand && Array.isArray(value) && value.length > 0;
    if (typeof value !== 'object' || isBareList) return HIDDEN;
    if (this.#scanner.isClean(value, BODY_MAX)) {
      this.size = this.#scanner.size;
      return value;
    }
    this.#left = BODY_MAX;
    this.#wantsStand = wantsStand;
    const kept = this.#value(value, 0);
    this.size = BODY_MAX - Math.max(0, this.#left);
    return kept;
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    this.#left -= SCALAR_COST;
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= NESTING_MAX) {
      this.truncated = true;
      return null;
    }
    if (Array.isArray(value)) return this.#list(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.#foreign(value, depth);
    return this.#object(value as JsonObject, depth);
  }

  #text(text: string): string {
    const left = Math.max(0, this.#left);
    this.#left -= text.length;
    if (text.length <= left) return text;
    this.truncated = true;
    return cutText(text, left);
  }

  #list(list: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | null = null;
    for (let i = 0; i < list.length; i++) {
      if (this.#left < 0) {
        this.truncated = true;
        return (copy ?? list).slice(0, i);
      }
      const kept = this.#value(list[i], depth + 1);
      if (kept === list[i]) continue;
      copy ??= list.slice();
      copy[i] = kept;
    }
    return copy ?? list;
  }

  #object(object: JsonObject, depth: number): JsonObject {
    let copy: JsonObject | null = null;
    let hasPanName = false;
    for (const name in object) {
      this.#left -= name.length + MEMBER_COST;
      if (this.#left < 0) {
        this.truncated = true;
        return withoutPanNames(membersBefore(copy ?? object, name));
      }
      hasPanName ||= isPanName(name);
      const value = object[name];
      const kind = isSuspect(name) ? kindOf(name) : 'plain';
      const kept = kind === 'plain' ? this.#value(value, depth + 1) : this.#secret(kind, value, depth);
      if (kept === value) continue;
      copy ??= { ...object };
      copy[name] = kept;
    }
    return hasPanName ? withoutPanNames(copy ?? object) : (copy ?? object);
  }

  /** Numbers whose digits a JS number would not give back, and the bytes of long texts. */
  #foreign(value: object, depth: number): unknown {
    const left = Math.max(0, this.#left);
    if (value instanceof Uint8Array) {
      this.#left -= value.length;
      if (value.length > left) this.truncated = true;
      return new TextDecoder().decode(value.subarray(0, left));
    }
    const text = textOf(value);
    if (text === undefined) return this.#object(value as JsonObject, depth);
    this.#left -= text.length;
    const number = Number(text);
    return Number.isFinite(number) ? number : text;
  }

  #secret(kind: Kind, value: unknown, depth: number): unknown {
    if (value === null || value === undefined) return value;
    const text = textOf(value);
    if (text === undefined && !Array.isArray(value)) {
      if (kind === 'object') return this.#value(value, depth + 1);
      if (kind === 'secrets') return this.#value(withoutSecrets(value as JsonObject), depth + 1);
    }
    if (this.#wantsStand) this.stand = [...this.stand, standInOf(kind, value)];
    const shown = text === undefined ? HIDDEN : maskMember(kind, text);
    return this.#text(shown);
  }
}

/** A text, or the digits of a number; undefined for anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  // How the strict reader hands over digits that a number would not give back.
  const inner: unknown =
    typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
  return typeof inner === 'string' && Object.getPrototypeOf(value) !== Object.prototype ? inner : undefined;
}

function membersBefore(object: JsonObject, end: string): JsonObject {
  const kept: JsonObject = {};
  for (const name in object) {
    if (name === end) break;
    kept[name] = object[name];
  }
  return kept;
}

function withoutSecrets(map: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, isOpenParameter(name) ? value : HIDDEN]),
  );
}

/** Masks the names of members that are card numbers themselves. */
function withoutPanNames(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [maskName(name), value]));
}

/** A number that runs into a letter is none to look at, but its digits are there. */
function maskName(name: string): string {
  const masked = maskPans(name);
  return masked === name ? name.replaceAll(/\d{12,}/g, (digits) => '*'.repeat(digits.length)) : masked;
}

/** A masked body as a replay sends it: each masked member has its stand-in again. */
export function replayed(body: unknown, stand: readonly string[]): unknown {
  let next = 0;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, member(name, inner)]));
  };
  const member = (name: string, value: unknown): unknown => {
    const kind = kindOf(name);
    const masked = kind !== 'plain' && typeof value === 'string';
    return masked ? (stand[next++] ?? value) : walk(value);
  };
  return walk(body);
}
