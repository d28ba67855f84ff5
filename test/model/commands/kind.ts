import fc from 'fast-check';

import type { Body, Call } from '../calls.js';
import { idOf, type Records, type Table } from '../records.js';
import { PROVIDER } from '../spec.js';

/** What commands are made of: a request, and for some of them what must become of it. */

/** Which record a command means: so many back from the newest of its world, one of another world, or none at all. */
export interface Ref {
  readonly from: 'own' | 'other' | 'none';
  readonly back: number;
}

const BACK_MAX = 4;
const UNKNOWN = '0123456789abcdef0123456789abcdef';

/** What is kept of a world beside its records. */
export interface Kept {
  /** The records at which the world's named snapshot was taken. */
  saved: Records | null;
  exported: { readonly document: Body; readonly records: Records } | null;
  /** Whether outcomes may be queued or a scenario played, so that the next outcome is not known. */
  isScripted: boolean;
}

export interface Found {
  readonly id: string;
  /** Null: it is no record of this world. */
  readonly record: Body | null;
}

/** What a command sees: the records of its world and of the others. */
export interface View {
  readonly own: Records;
  readonly others: readonly Records[];
  readonly kept: Kept;
}

/** The record that is meant: mostly one that the command fits, where there is any. */
export function find(
  { own, others }: View,
  table: Table,
  { from, back }: Ref,
  fits: (record: Body) => boolean = () => false,
): Found {
  const fitting = back < BACK_MAX ? own[table].filter(fits) : [];
  const among = fitting.length > 0 ? fitting : own[table];
  const foreign = others.flatMap((one) => one[table]);
  const record = from === 'own' ? among[among.length - 1 - (back % Math.max(1, among.length))] : undefined;
  const other = from === 'other' ? foreign[back] : undefined;
  const meant = record ?? other;
  return { id: meant === undefined ? UNKNOWN : idOf(table, meant), record: record ?? null };
}

/** What must come of a call that is not refused. */
export interface Verdict {
  /** The code with which a provider declines; null: it approves; undefined: nobody knows. */
  readonly decline?: number | null;
  /** Throws unless the world is now as it must be. */
  readonly expect: (after: Records, isDeclined: boolean, answer: Body) => void;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
  ) {
    super(`refused with ${status}, code ${code}`);
  }
}

export function refuse(status: number, code: number): never {
  throw new Refused(status, code);
}

export interface Plan {
  readonly call: Call;
  /** What must come of it; throws a {@link Refused}. Without it, only the laws that hold for every call are checked. */
  readonly decide?: () => Verdict;
  /** Whether it decides about outcomes to come. */
  readonly isScript?: true;
}

/** A kind of command: how it is made up, and what it means in a world. */
export interface Kind {
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly plan: (view: View, args: never) => Plan;
}

export const define = <A>(
  name: string,
  arbitrary: fc.Arbitrary<A>,
  plan: (view: View, args: A) => Plan,
): Kind => ({ name, arbitrary, plan });

/** A kind of command of which nothing but the laws is known. */
export const free = <A>(
  name: string,
  arbitrary: fc.Arbitrary<A>,
  makeCall: (view: View, args: A) => Call,
): Kind => define(name, arbitrary, (view, args) => ({ call: makeCall(view, args) }));

export const weighted = <T>(...choices: [weight: number, values: readonly T[]][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, values]) => ({ weight, arbitrary: fc.constantFrom(...values) })));

export const ref = (): fc.Arbitrary<Ref> =>
  fc.record({
    from: weighted([12, ['own' as const]], [1, ['other' as const]], [1, ['none' as const]]),
    back: fc.nat({ max: BACK_MAX }),
  });

const WRONG_AMOUNTS = [
  '0',
  '-5',
  '0.00',
  '1x3',
  '007',
  '.5',
  '10.005',
  '1000000000',
  ' 5',
  '0x10',
  '12,50',
  '',
];

export const amountText = (): fc.Arbitrary<string> =>
  weighted<string>(
    [24, ['10', '12.50', '33.50', '7', '100', '250.00', '1']],
    [8, ['20.05', '33.51', '0.01', '99.96', '999999999.99', '20.0', '3']],
    [2, WRONG_AMOUNTS],
  );

export const provider = (): fc.Arbitrary<string> =>
  weighted<string>(
    [8, [PROVIDER.steady]],
    [4, [PROVIDER.amounts, PROVIDER.flaky, PROVIDER.wholeCapture, PROVIDER.unheardOf]],
    [1, [PROVIDER.down, PROVIDER.noCapture]],
    [1, [PROVIDER.reserved, PROVIDER.malformed]],
  );

export const currency = (): fc.Arbitrary<string> =>
  weighted<string>([8, ['AUD']], [2, ['JPY', 'BHD', 'USD']], [1, ['aud', 'XXX']]);

/** An outcome that the request's own header asks for; mostly none. */
export const header = (): fc.Arbitrary<string | null> =>
  weighted<string | null>(
    [12, [null]],
    [1, ['approve', 'insufficient_funds', 'provider_unavailable', 'require_3ds']],
  );

/** Months of validity: long, to the end of the first month of the worlds, and over before they begin. */
export const expiry = (): fc.Arbitrary<string> =>
  weighted<string>([10, ['10/40']], [2, ['01/26', '02/26']], [1, ['12/25']]);

/** The amount of a change, in words that a charge gives a meaning. */
export const share = (): fc.Arbitrary<string> =>
  weighted([6, ['all', 'half', 'one unit']], [1, ['one unit more', 'twice', '0', '-1', 'ten', '1.2345']]);
