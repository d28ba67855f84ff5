import fc from 'fast-check';

import { amountCode } from '../arithmetic.js';
import type { Dialect } from '../dialect.js';
import type { Event } from '../event.js';
import { type Outcome, type Refusal } from '../charging.js';
import { askScript } from '../provider.js';
import { PROVIDER } from '../spec.js';
import { at, type State } from '../state.js';

/** What commands are made of: a request, and what the model says that becomes of it. */

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The JSON object of an answer. */
export type Body = Readonly<Record<string, unknown>>;

/** What is accepted, once the answer has told the identifiers; `decline`: accepted, and answered with an error all the same. */
export interface Verdict {
  readonly decline?: Refusal | null;
  readonly events?: (body: Body) => readonly Event[];
  /** Throws where the answer says something else than the model. */
  readonly check?: (body: Body) => void;
  /** What takes the place of all events so far. */
  readonly instead?: readonly Event[];
  /** The named snapshot of the world from now on: the events so far, or none. */
  readonly saves?: 'these' | 'none';
  /** The answer is the world as a document. */
  readonly exports?: true;
  /** What a reset begins anew from now on: a scenario by its number, or none. */
  readonly chooses?: number | null;
}

const calling =
  (method: Call['method']) =>
  (path: string, body?: object, outcome: string | null = null): Call => ({
    method,
    path,
    ...(body && { body }),
    headers: headersOf(outcome),
  });
/** Requests by their path, their body, and the outcome that their own header asks for. */
export const post = calling('POST');
export const put = calling('PUT');
export const get = (path: string): Call => ({ method: 'GET', path });
export const del = (path: string, outcome: string | null = null): Call =>
  calling('DELETE')(path, undefined, outcome);

/** The members of a body that are given: null stands for one that is left out. */
export const given = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

export interface Plan {
  readonly call: Call;
  /** Decides by the model alone; a refusal is thrown. */
  readonly decide: () => Verdict;
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

/** Which record a command means: so many back from the newest of its world, one of another world, or none at all. */
export interface Ref {
  readonly from: 'own' | 'other' | 'none';
  readonly back: number;
}

const BACK_MAX = 4;

export const ref = (): fc.Arbitrary<Ref> =>
  fc.record({
    from: weighted([12, ['own' as const]], [1, ['other' as const]], [1, ['none' as const]]),
    back: fc.nat({ max: BACK_MAX }),
  });

const UNKNOWN = '0123456789abcdef0123456789abcdef';

type Ending = 'customers' | 'methods' | 'entries' | 'providers' | 'receivers';
type StatusAndCode = readonly [status: number, code: number];

/** How a record is refused that never was, and how one that is gone. */
const MISSING: Readonly<Record<Ending, { readonly never: StatusAndCode; readonly gone: StatusAndCode }>> = {
  customers: { never: [404, 52], gone: [409, 72] },
  methods: { never: [404, 56], gone: [409, 73] },
  entries: { never: [404, 62], gone: [404, 62] },
  providers: { never: [404, 65], gone: [404, 65] },
  receivers: { never: [404, 111], gone: [404, 111] },
};

const isGone = (record: State[Ending][number]): boolean =>
  'removedAt' in record ? record.removedAt !== null : record.isGone;

/** A record that was named: its identifier, and its number where it is one of this world. */
export interface Named {
  readonly id: string;
  readonly n: number | null;
}

type Table =
  | 'charges'
  | 'customers'
  | 'methods'
  | 'entries'
  | 'tokens'
  | 'transactions'
  | 'batches'
  | 'subscriptions'
  | 'links'
  | 'providers'
  | 'receivers';

const idsOf = (state: State, table: Table): (string | null)[] => state[table].map(({ id }) => id);

/** What a world keeps beside its state. */
interface Kept {
  /** The events at which the world's named snapshot was taken. */
  readonly saved: readonly Event[] | null;
  /** The scenario that the world was switched to, which no snapshot changes. */
  readonly chosen: number | null;
}

/** A world as a document, and the events that had made it. */
export interface Exported {
  readonly document: Body;
  readonly events: readonly Event[];
}

/** One step's view of the worlds. */
export class Context {
  /** What scripts used up, whether the call is accepted or not. */
  readonly used: Event[] = [];

  constructor(
    readonly state: State,
    private readonly others: readonly State[],
    private readonly kept: Kept,
    /** What was taken out of the world last. */
    readonly exported: Exported | null,
    /** In which one the call is sent. */
    readonly dialect: Dialect = 'documented',
  ) {}

  get saved(): Kept['saved'] {
    return this.kept.saved;
  }

  get chosen(): Kept['chosen'] {
    return this.kept.chosen;
  }

  /** The record that is meant: mostly one that the command fits, where there is any. */
  find<T extends Table>(table: T, asked: Ref, fits?: (record: State[T][number]) => boolean): Named {
    const own = [...idsOf(this.state, table).entries()];
    const fitting = own.filter(([n]) => fits?.(at<State[T][number]>(this.state[table], n)) === true);
    const among = fitting.length > 0 && asked.back < BACK_MAX ? fitting : own;
    const [n, found] = among[among.length - 1 - (asked.back % Math.max(1, among.length))] ?? [0, null];
    if (asked.from === 'own' && typeof found === 'string') return { id: found, n };
    const foreign = this.others.flatMap((state) => idsOf(state, table))[asked.back];
    return { id: asked.from === 'other' && typeof foreign === 'string' ? foreign : UNKNOWN, n: null };
  }

  /** The record of a number; one that is not there, or no more, is refused. */
  live<T extends Ending>(table: T, n: number | null): State[T][number] {
    const { never, gone } = MISSING[table];
    if (n === null) return refuse(...never);
    const record: State[T][number] = at<State[T][number]>(this.state[table], n);
    return isGone(record) ? refuse(...gone) : record;
  }

  /** What the request's header asks for, or else the script, which is used up by saying so. */
  told(operation: string, amount: string | null, header: string | null): string | null {
    if (header !== null) return header;
    const said = askScript(this.state, operation, amount);
    this.used.push(...said.used);
    return said.outcome;
  }
}

/** A kind of command: how it is made up, and what it means in a world. */
export interface Kind {
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly plan: (context: Context, args: never) => Plan;
}

export function define<A>(
  name: string,
  arbitrary: fc.Arbitrary<A>,
  plan: (context: Context, args: A) => Plan,
): Kind {
  return { name, arbitrary, plan };
}

/** A kind of command that ends a record, which its path alone names. */
export const ending = (name: string, table: Ending, path: string, ended: (n: number) => Event): Kind =>
  define(name, fc.record({ record: ref() }), (context, { record }) => {
    const { id, n } = context.find(table, record);
    return {
      call: del(`${path}/${id}`),
      decide: () => {
        context.live(table, n);
        return { events: () => [ended(n ?? 0)] };
      },
    };
  });

/** The verdict over a charge: stored in any case, once it was put to its provider. */
export function verdictOf(outcome: Outcome): Verdict {
  if ('refused' in outcome) return refuse(outcome.refused.status, outcome.refused.code);
  const { decline } = outcome;
  // Errors of the sdk dialect name no charge: its identifier is learnt from the list.
  const isNameless = (body: Body): boolean => decline !== null && !('ChargeId' in body);
  return { decline, events: (body) => outcome.events(isNameless(body) ? null : textIn(body, 'ChargeId')) };
}

/** A text deep in an answer. */
export function textIn(body: Body, ...path: string[]): string {
  let value: unknown = body;
  for (const name of path) value = (value as Body | null | undefined)?.[name];
  if (typeof value === 'string') return value;
  throw new Error(`The answer has no text ${path.join('.')}`);
}

/** Refuses what no amount of any currency looks like. */
export function checkAmount(text: string): void {
  const code = amountCode(text);
  if (code !== null) refuse(400, code);
}

export function checkProvider(provider: string): void {
  if (provider === PROVIDER.reserved || provider === PROVIDER.malformed) refuse(400, 39);
}

export const weighted = <T>(...choices: [weight: number, values: readonly T[]][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, values]) => ({ weight, arbitrary: fc.constantFrom(...values) })));

export const amountText = (): fc.Arbitrary<string> =>
  weighted<string>(
    [24, ['10', '12.50', '33.50', '7', '100', '250.00', '1']],
    [8, ['20.05', '33.51', '0.01', '99.96', '999999999.99', '20.0', '3']],
    [
      2,
      [
        '0',
        '-5',
        '0.00',
        '1x3',
        '007',
        '.5',
        '10.005',
        '10.000000000000000001',
        '1000000000',
        ' 5',
        '0x10',
        '12,50',
        '',
      ],
    ],
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

function headersOf(outcome: string | null): Record<string, string> {
  return outcome === null ? {} : { 'x-sandbox-outcome': outcome };
}

/** Months of validity: long, to the end of the first month of the worlds, and over before they begin. */
export const expiry = (): fc.Arbitrary<string> =>
  weighted<string>([10, ['10/40']], [2, ['01/26', '02/26']], [1, ['12/25']]);
