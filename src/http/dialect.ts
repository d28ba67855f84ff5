import { DEFAULT_DIALECT, type Dialect, dialectNamed } from '../core/dialect.js';
import type { Exchange } from './exchange.js';
import type { Sdk } from './sdk.js';

/** Which dialect a request speaks. How one is read and answered that is not documented: sdk.ts. */

/** The body of an error as the documented dialect writes it. */
export interface ErrorBody {
  readonly HttpStatus: number;
  readonly Code: number;
  readonly Type: string;
  readonly Message: string;
  readonly Resource: string | null;
  readonly Details: Readonly<Record<string, string>> | null;
  readonly IsRetryable: boolean;
  readonly GatewayCode: string | null;
  readonly GatewayMessage: string | null;
  readonly ChargeId?: string;
}

/**
 * The dialect of a call: what its header x-sandbox-dialect asks for, else that of its world. The control plane has one
 * spelling, whoever calls it.
 */
export function dialectOf(asked: string | undefined, control: boolean, fallback: Dialect): Dialect {
  if (control) return DEFAULT_DIALECT;
  return (asked === undefined ? undefined : dialectNamed(asked)) ?? fallback;
}

/** What reads and writes the dialects beside the documented one: loaded with the first request that needs it. */
export class Dialects {
  #sdk: Sdk | null = null;

  /** Null: the documented one. */
  of(dialect: Dialect): Sdk | null | Promise<Sdk> {
    return dialect === 'sdk' ? (this.#sdk ?? this.#load()) : null;
  }

  async #load(): Promise<Sdk> {
    const { Sdk: Loaded } = await import('./seldom.js');
    return (this.#sdk ??= new Loaded());
  }
}

/** Refuses a header x-sandbox-dialect that names no dialect; null where it does, or is not there. */
export function requireDialect(asked: string | undefined): Promise<never> | null {
  return asked === undefined || dialectNamed(asked) !== undefined ? null : refuseDialect(asked);
}

async function refuseDialect(asked: string): Promise<never> {
  const { unknownDialect } = await import('./seldom.js');
  throw unknownDialect(asked);
}

/** An answer as the dialect of its exchange spells it. */
export function spell(answer: object, { sdk }: Pick<Exchange, 'sdk'>): object {
  return sdk === null ? answer : sdk.answer(answer);
}
