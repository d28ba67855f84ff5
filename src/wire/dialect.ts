import { DEFAULT_DIALECT, type Dialect, dialectNamed, DIALECTS } from '../core/dialect.js';
import { CODE, errorRow, refuse } from '../core/errors.js';
import { nearest } from '../core/nearest.js';
import { toSdk } from '../core/sdk-answer.js';

/** Where the dialects part: which one a request speaks, and how it is answered in it. How it is read: sdk-request.ts. */

/** The page of the service that its error codes lead to. */
const ERROR_CODES = 'https://docs.payfurl.com/errorcodes';

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
  const shown = JSON.stringify(asked.slice(0, 40));
  const [near] = nearest(asked, DIALECTS, 1);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  refuse(
    CODE.ValidationError,
    `The header x-sandbox-dialect holds ${shown}; ${DIALECTS.join(' or ')} is taken.${hint}`,
  );
}

/** An answer as a dialect spells it. */
export function spell(answer: object, dialect: Dialect): object {
  return dialect === 'sdk' ? (toSdk(answer) as object) : answer;
}

/** The body of an error as client libraries know it: the code's own message alone, and details of code 90 alone. */
export function sdkError(body: ErrorBody): object {
  const code = body.Code;
  return {
    message: errorRow(code).message,
    code,
    isRetryable: body.IsRetryable,
    type: `${ERROR_CODES}#${code}`,
    resource: body.Resource,
    details: code === CODE.ValidationError ? body.Details : null,
    gatewayCode: body.GatewayCode,
    gatewayMessage: body.GatewayMessage,
    httpStatus: body.HttpStatus,
  };
}
