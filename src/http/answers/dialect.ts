import type { Context } from 'hono';

import { type Dialect, findDialect, DIALECTS } from '../../core/dialect/dialect.js';
import { CODE, requireErrorRow, refuse } from '../../core/errors.js';
import { didYouMean } from '../../core/text/nearest.js';
import { toSdk } from '../../core/dialect/sdk.js';
import { quoteText, endSentence } from '../../core/text/text.js';
import { type Env, type Exchange, headerOf } from '../exchange.js';
import { fillKnownFields } from './known-fields.js';

/** The dialect of a request and the format of its answer. shape.ts reads the request. */

const ERROR_CODES = 'https://docs.payfurl.com/errorcodes';

export interface ErrorBody {
  readonly HttpStatus: number;
  readonly Code: number;
  readonly Type: string;
  readonly Message: string;
  readonly Resource: string | null;
  readonly Details: Readonly<Record<string, string | null>> | null;
  readonly IsRetryable: boolean;
  readonly GatewayCode: string | null;
  readonly GatewayMessage: string | null;
  readonly ChargeId?: string;
}

export function requireKnownDialect(requested: string | undefined): void {
  if (requested === undefined || findDialect(requested) !== undefined) return;
  const detail = `The header x-sandbox-dialect is ${quoteText(requested)}; it must be ${DIALECTS.join(' or ')}${didYouMean(requested, DIALECTS)}`;
  refuse(CODE.ValidationError, endSentence(detail));
}

/** Tells the author of a program once in a world that a caller may be the PHP library, which does not name itself. */
export function hintAtDialect(c: Context<Env>, { world, control, warnings }: Exchange): void {
  if (control || world === null || world.isHintedAtDialect) return;
  const isLikeLibrary =
    headerOf(c, 'user-agent') === undefined &&
    headerOf(c, 'accept') === '*/*' &&
    headerOf(c, 'content-type') === 'application/json' &&
    /\bgzip\b/.test(headerOf(c, 'accept-encoding') ?? '');
  if (!isLikeLibrary) return;
  world.isHintedAtDialect = true;
  warnings.push('the answer is in the documented dialect; for the PHP library: --dialect sdk');
}

export function translateAnswer(answer: object, { dialect }: Pick<Exchange, 'dialect'>): object {
  return dialect === 'sdk' ? (toSdk(answer, fillKnownFields) as object) : answer;
}

/** The body of an error in a dialect. Client libraries get the code's own message only. */
export function translateError(documented: ErrorBody, dialect: Dialect): object {
  if (dialect !== 'sdk') return documented;
  const code = documented.Code;
  const isValidation = code === CODE.ValidationError;
  const isGateways = documented.GatewayCode !== null || documented.GatewayMessage !== null;
  return {
    message: requireErrorRow(code).message,
    code,
    isRetryable: documented.IsRetryable,
    type: `${ERROR_CODES}#${code}`,
    resource: isValidation ? null : documented.Resource,
    details: isValidation ? listReasons(documented) : isGateways ? documented.Details : null,
    gatewayCode: documented.GatewayCode,
    gatewayMessage: documented.GatewayMessage,
    httpStatus: documented.HttpStatus,
  };
}

/** Client libraries show only these, so a refusal that concerns no field has one, too: `Request`. */
function listReasons({ Code, Details, Message }: ErrorBody): ErrorBody['Details'] {
  return Details ?? { Request: Message.slice(`${requireErrorRow(Code).message}: `.length) };
}
