import { isPanName, isSuspect, kindOf, maskMember } from './names.js';

/** Characters of a member beside its name and text: quotes, colon, comma. */
export const MEMBER_COST = 6;
/** Characters of a number or a word, about. */
export const SCALAR_COST = 8;
/** Deeper values are cut; the service takes no deeper ones. */
export const NESTING_MAX = 32;

/**
 * Looks whether a body can be kept as it is. This is done at every call of the service, copying at few: the
 * answer to a charge holds fifty members and no secret.
 */
export class Scanner {
  #left = 0;
  #clean = true;

  /** Characters of the JSON of the body that was looked at last, about. */
  size = 0;

  /** Whether nothing in a body needs masking or cutting. */
  isClean(body: object, max: number): boolean {
    this.#left = max;
    this.#clean = true;
    this.#walk(body, 0);
    this.size = max - this.#left;
    return this.#clean && this.#left >= 0;
  }

  #walk(value: object, depth: number): void {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && this.#left >= 0; i++) {
        this.#left -= SCALAR_COST;
        this.#below(value[i], depth);
      }
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      this.#clean = false;
      return;
    }
    this.#members(value as Record<string, unknown>, depth);
  }

  #members(object: Record<string, unknown>, depth: number): void {
    for (const name in object) {
      this.#left -= name.length + MEMBER_COST;
      const value = object[name];
      if (isPanName(name)) this.#clean = false;
      if (value === null || value === undefined || typeof value === 'boolean') continue;
      if (isSuspect(name) && holdsSecret(name, value)) this.#clean = false;
      // The rest is looked at again, member by member.
      if (!this.#clean || this.#left < 0) return;
      if (typeof value === 'string') this.#left -= value.length;
      else if (typeof value === 'object') this.#below(value, depth);
      else this.#left -= SCALAR_COST;
    }
  }

  #below(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#left -= value.length;
    else if (typeof value === 'object' && value !== null) {
      if (depth >= NESTING_MAX) this.#clean = false;
      else this.#walk(value, depth + 1);
    }
  }
}

/** Answers bear card numbers that are masked already, and where a card belongs there is an object. */
function holdsSecret(name: string, value: unknown): boolean {
  const kind = kindOf(name);
  switch (kind) {
    case 'plain':
      return false;
    case 'object':
      return typeof value !== 'object' || Array.isArray(value);
    case 'card':
    case 'account':
      return typeof value !== 'string' || maskMember(kind, value) !== value;
    default:
      return true;
  }
}
