import { ApiError, CODE } from '../../src/core/errors.js';
import { dialectOf, errorIn } from '../../src/http/answers/dialect.js';
import { errorBody, PROTECTION } from '../../src/http/answers/respond.js';
import { CONTROL } from '../../src/http/key-of.js';
import { DEFAULT_DIALECT, type Dialect } from '../../src/core/dialect/dialect.js';

/** What Cloudflare cannot do to a client, and the words for it. */
const LOSSES = {
  reset: 'reset a connection',
  empty: 'close a connection without an answer',
  truncate: 'send half an answer',
  hang: 'leave a call without an answer for longer than a minute',
};

export type Loss = keyof typeof LOSSES;

/** The answer in place of none. The header lets clients treat it as a lost answer. */
export function lostAnswer(request: Request, how: Loss, dialect: Dialect = DEFAULT_DIALECT): Response {
  const detail = `Cloudflare cannot ${LOSSES[how]}, as this call was to end. Take this answer, with the header x-sandbox-lost: ${how}, for a lost one: the call was carried out as its fault says.`;
  const error = new ApiError({ code: CODE.FeatureUnavailable, detail, httpStatus: 501 });
  return errorAnswer(request, error, dialect, { 'x-sandbox-lost': how });
}

/** The answer if an object was restarted or failed while it handled a call. */
export function failedAnswer(request: Request, reason: string): Response {
  const detail = `The object of this world did not answer: ${reason}. Send the call again; search for its Reference first if it may have charged.`;
  return errorAnswer(request, new ApiError({ code: CODE.RetryLater, detail }), DEFAULT_DIALECT);
}

function errorAnswer(
  request: Request,
  error: ApiError,
  fallback: Dialect,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { pathname } = new URL(request.url);
  const asked = request.headers.get('x-sandbox-dialect') ?? undefined;
  const dialect = dialectOf(asked, pathname.startsWith(CONTROL), fallback);
  const body = errorIn(errorBody(error, pathname), dialect);
  return Response.json(body, { status: error.httpStatus, headers: { ...PROTECTION, ...more } });
}
