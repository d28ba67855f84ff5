import * as z from 'zod';
import { $ZodTransform, type $ZodTransformDef, type $ZodType } from 'zod/v4/core';

import { CODE } from '../core/errors.js';

/** Why a member is refused, and with which code. */
export class Fault {
  constructor(
    readonly message: string,
    readonly code: number = CODE.ValidationError,
  ) {}
}

/**
 * What a member holds, where client libraries write that in ways of their own; a list: one of these words; an order: whatever
 * is none of these words asks for none.
 */
export type MemberKind = 'instant' | 'flag' | readonly string[] | OrderKind;

export interface OrderKind {
  readonly orderBy: readonly string[];
}

/** What a member's schema says of itself, beside what zod needs. */
export interface MemberDef extends $ZodTransformDef {
  readonly kind: MemberKind | null;
  /** The sdk dialect does without it. */
  readonly optionalInSdk: boolean;
}

/** A member of a request: its schema in terms of what is read from it. */
export type Member<T> = $ZodType<T>;

function memberOf<T>(def: Omit<MemberDef, 'type'>): Member<T> {
  const whole: MemberDef = { type: 'transform', ...def };
  return new $ZodTransform(whole) as unknown as Member<T>;
}

/**
 * A schema from a reading function: the function returns what it read, or a fault. The core's transform, because
 * zod's own makes a closure for each member of each request.
 */
export function member<T>(read: (value: unknown) => T | Fault, kind: MemberKind | null = null): Member<T> {
  return memberOf({
    kind,
    optionalInSdk: false,
    transform: (value, payload) => {
      const result = read(value);
      if (!(result instanceof Fault)) return result;
      const { message, code } = result;
      payload.issues.push({ code: 'custom', message, input: value, params: { code } });
      return z.NEVER;
    },
  });
}

/** A member that may be left out: then it is null. */
export function optional<T>(read: (value: unknown) => T | Fault, kind?: MemberKind): Member<T | null> {
  return member((value) => (value === undefined ? null : read(value)), kind);
}

/** A member that must be there; the sample is shown where it is not. */
export function required<T>(
  read: (value: unknown) => T | Fault,
  sample: string,
  kind?: MemberKind,
): Member<T> {
  const missing = new Fault(`is required, for example ${sample}`);
  return member((value) => (value === undefined ? missing : read(value)), kind);
}

/** A required member that the sdk dialect does without: where it is left out there, it is null. */
export function optionalInSdk<T>(inner: Member<T>): Member<T | null> {
  const { kind, transform } = inner._zod.def as unknown as MemberDef;
  // Nothing else brings a null this far: one that was sent counts as absent.
  const read: MemberDef['transform'] = (value, payload) =>
    value === null ? null : transform(value, payload);
  return memberOf({ kind, optionalInSdk: true, transform: read });
}
