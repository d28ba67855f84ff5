import { ApiError, CODE } from '../../src/core/errors.js';
import { translateError } from '../../src/http/answers/dialect.js';
import { buildErrorBody, EXPOSED_HEADERS, PROTECTION, showToOrigin } from '../../src/http/answers/respond.js';
import { Gate } from '../../src/http/gate.js';
import { isControlPath } from '../../src/http/request-key.js';
import {
  chooseDialect,
  DEFAULT_DIALECT_SETTING,
  type DialectSetting,
} from '../../src/core/dialect/dialect.js';

/** What a call should do to its client, and Cloudflare cannot. */
const LOSSES = {
  reset: 'reset the connection',
  empty: 'close the connection without an answer',
  truncate: 'send half an answer',
  hang: 'give no answer for more than a minute',
};

type Loss = keyof typeof LOSSES;

/** The answer in place of none. The header lets clients treat it as a lost answer. */
export function lostAnswer(request: Request, how: Loss, setting?: DialectSetting): Response {
  const detail = `This call should ${LOSSES[how]}, which Cloudflare cannot do. Treat this answer as lost: it has the header x-sandbox-lost: ${how}. The operation ran, or did not, as the fault asks.`;
  const error = new ApiError({ code: CODE.FeatureUnavailable, detail, httpStatus: 501 });
  return errorAnswer(request, error, setting, { 'x-sandbox-lost': how });
}

/** The answer if an object was restarted or failed while it handled a call. */
export function failedAnswer(request: Request, reason: string): Response {
  const detail = `The object of this world did not answer: ${reason}. Send the call again; search for its Reference first if it may have charged.`;
  return errorAnswer(request, new ApiError({ code: CODE.RetryLater, detail }));
}

/** A refusal in the dialect of the call: `setting` is that of its world. */
export function errorAnswer(
  request: Request,
  error: ApiError,
  setting = DEFAULT_DIALECT_SETTING,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { pathname } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const { dialect } = chooseDialect(header, isControlPath(pathname), setting);
  const body = translateError(buildErrorBody(error, pathname), dialect);
  return Response.json(body, { status: error.httpStatus, headers: { ...PROTECTION, ...more } });
}

/** The answer with the headers that let its page read it, unless the sandbox has set them: it sees no refusal of the Worker. */
export function showToPage(request: Request, answer: Response, allowedOrigins: readonly string[]): Response {
  const origin = request.headers.get('origin');
  if (origin === null || answer.headers.has('access-control-allow-origin')) return answer;
  const gate = new Gate({ allowedHosts: [], allowedOrigins, onTurnedAway: null });
  if (!gate.isTrusted(origin, new URL(request.url).host)) return answer;
  const headers = Object.fromEntries(answer.headers);
  showToOrigin(headers, origin, `${EXPOSED_HEADERS}, x-sandbox-lost`);
  return new Response(answer.body, { status: answer.status, headers });
}
