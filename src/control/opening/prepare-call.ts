import { BODY_MAX, cutBody } from '../../journal/body.js';
import { maskBody } from '../../journal/mask.js';
import { HIDDEN } from '../../core/text/secret-fields.js';
import { CONTROL, leadsToControl } from '../../http/request-key.js';
import { partLeftBy } from '../../scenarios/file/fault.js';
import { pickSentBody } from '../journal/trace.js';
import { parseObject } from './body-content.js';
import type { IdentifierMap, MissingId } from './identifier-map.js';
import { diffAnswers, type AnswerDifference, ShownLabel } from './diff.js';
import type { TraceEntry } from './recorded-call.js';

const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Statuses that refuse a call before its body is read, or an unreadable body. */
const BODY_REFUSALS: ReadonlySet<number> = new Set([400, 413, 415]);

const IS_CONTROL = `calls of ${CONTROL} are left out, because a replay sends only calls of the service`;

/** Why a recorded call cannot be sent again; null when it can. */
function whyNotSent(entry: TraceEntry): string | null {
  const { method, query, body, status, isRequestTruncated, requestLost } = entry;
  if (requestLost !== null) return `its body was not recorded (${requestLost})`;
  if (isRequestTruncated) return 'its body is too long, so the journal has only a part of it';
  if (query.includes(`=${HIDDEN}`)) return 'the journal masked a value in its query';
  // The journal masks all digits of a text that is not a JSON object, since they may be a card number.
  if (typeof body === 'string' && body.includes('*'))
    return 'its body was not a JSON object, so the journal has only a part of it';
  const isMissing = body === null && BODY_METHODS.has(method) && BODY_REFUSALS.has(status);
  return isMissing
    ? 'the journal has no body of it: the call was refused before its body was read, or came without one'
    : null;
}

export interface OutgoingCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A complete answer, the beginning of one, or the reason for none. */
export type Reply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly text: string | null;
      /** The name of the world, if a sandbox answered. */
      readonly world: string | null;
    }
  | { readonly kind: 'broken'; readonly status: number; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string };

/** The request to send, and the identifiers in it that no earlier answer of the replay had; or why it is not sent. */
type PreparedCall =
  | { readonly call: OutgoingCall; readonly missing: readonly MissingId[] }
  | { readonly unsent: string };

export function prepareCall(entry: TraceEntry, ids: IdentifierMap): PreparedCall {
  const unsent = whyNotSent(entry);
  if (unsent !== null) return { unsent };
  const { method, path, query, headers, body } = entry;
  // The only header that contains an identifier.
  const naming = { path, query, providerid: headers['providerid'], body };
  const missing = ids.findMissing(naming);
  const sent = ids.translate(naming);
  // Paths in the journal are decoded.
  const address = sent.path.replaceAll(/[?#]/g, encodeURIComponent);
  const text = sent.body === null || typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  const call = {
    method,
    path: sent.query === '' ? address : `${address}?${sent.query}`,
    headers: sent.providerid === undefined ? headers : { ...headers, providerid: sent.providerid },
    body: pickSentBody(headers, text),
  };
  // Only now, since a recorded identifier may stand for another text. A file must not reset or read worlds.
  return leadsToControl(call.path) ? { unsent: IS_CONTROL } : { call, missing };
}

/** The differences between a recorded answer and the reply: the status first, then the fields. */
export function diffReply(
  entry: TraceEntry,
  reply: Reply,
  ids: IdentifierMap,
  ignored: ReadonlySet<string>,
): readonly AnswerDifference[] {
  const { status, fault, method } = entry;
  const recordedHow = status === 0 ? 'none' : partLeftBy(fault) === 'a part' ? 'cut short' : 'whole';
  const repliedHow = { none: 'none', broken: 'cut short', whole: 'whole' }[reply.kind];
  if (recordedHow !== repliedHow) {
    const replayed = reply.kind === 'whole' ? `${reply.status}` : `${repliedHow} (${reply.reason})`;
    const recorded = recordedHow === 'whole' ? `${status}` : recordedHow;
    return [
      {
        place: 'answer',
        recorded: new ShownLabel(recorded),
        replayed: new ShownLabel(replayed),
        about: 'answer',
      },
    ];
  }
  if (reply.kind === 'none') return [];
  const statuses: AnswerDifference[] =
    reply.status === status
      ? []
      : [{ place: 'status', recorded: status, replayed: reply.status, about: 'status' }];
  // A HEAD has no body, and a body that is not in the journal cannot be compared.
  const isKnown =
    reply.kind === 'whole' &&
    method !== 'HEAD' &&
    (entry.response !== null || partLeftBy(fault) === 'no JSON');
  return isKnown ? [...statuses, ...diffBody(entry, reply.text, ids, ignored)] : statuses;
}

function diffBody(
  { response, isTruncated, isRequestTruncated }: TraceEntry,
  text: string | null,
  ids: IdentifierMap,
  ignored: ReadonlySet<string>,
): readonly AnswerDifference[] {
  const answer = parseObject(text ?? '');
  const [isJson, wasJson] = [answer !== undefined, typeof response === 'object' && response !== null];
  if (isJson !== wasJson || text === null) {
    const labelOf = (json: boolean): ShownLabel => new ShownLabel(json ? 'JSON' : 'not JSON');
    const replayed = text === null ? new ShownLabel('too long to read') : labelOf(isJson);
    return [{ place: 'body', recorded: labelOf(wasJson), replayed, about: 'answer' }];
  }
  if (response === null) return [];
  // As lists, since the journal masks the whole of a lone text.
  const [was, now] = isJson ? [response, answer] : [[response], [text]];
  // Masked and cut like the recorded answer in the journal.
  const masked = maskBody(now);
  const { value, truncated } = text.length > BODY_MAX ? cutBody(masked) : { value: masked, truncated: false };
  const cut = { recorded: isTruncated && !isRequestTruncated, replayed: truncated };
  // Masks the recorded answer again, because earlier versions masked less.
  const [one, other] = [maskBody(was), value].map((body) => (isJson ? body : (body as unknown[])[0]));
  return diffAnswers(one, other, ids, { ignored, cut });
}
