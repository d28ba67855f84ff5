import { DEFAULT_DIALECT, type Dialect, dialectNamed, DIALECTS } from '../core/dialect.js';
import { CODE, refuse } from '../core/errors.js';
import { nearest } from '../core/nearest.js';
import { quoted } from '../core/text.js';
import type { Exchange } from './exchange.js';

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

/** Refuses a header x-sandbox-dialect that names no dialect. */
export function requireDialect(asked: string | undefined): void {
  if (asked === undefined || dialectNamed(asked) !== undefined) return;
  const [near] = nearest(asked, DIALECTS, 1);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  refuse(
    CODE.ValidationError,
    `The header x-sandbox-dialect holds ${quoted(asked)}; ${DIALECTS.join(' or ')} is taken.${hint}`,
  );
}

/** An answer as the dialect of its exchange spells it. */
export function spell(answer: object, { sdk }: Pick<Exchange, 'sdk'>): object {
  return sdk === null ? answer : sdk.answer(answer);
}
