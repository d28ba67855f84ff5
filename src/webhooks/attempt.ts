import { ANSWER_LOGGED_MAX, type Posted } from '../core/post.js';
import { maskSecrets } from '../core/text/secrets.js';
import * as field from '../core/store/field.js';

/** The maximum number of characters that are logged of the headers of a request or a response: our own limit. */
const HEADERS_LOGGED_MAX = 1_000;

/** A field that is not saved, because documents contain nothing that differs from run to run. */
const unsaved = <T>(): field.Codec<T | null> => ({
  read: (value) => (value === undefined ? null : field.invalid('must be left out')),
  write: () => undefined,
});

const attemptFields = {
  /** When it began. */
  at: field.instant,
  /** The status of the response; null if there was none. */
  responseStatus: field.orNull(field.whole(0, 999)),
  /** Why it failed, or another note; null for none. */
  note: field.maybeText,
  /** Real milliseconds; null in a restored world, like the headers. */
  durationMs: unsaved<number>(),
  /** The headers of the request and of the response, a line for each, with secrets masked. */
  sent: unsaved<string>(),
  received: unsaved<string>(),
  /** The beginning of the body of the response; null if there was no response, or it is not known. */
  answer: unsaved<string>(),
};

/** An attempt of a delivery. */
export interface Attempt extends field.ValuesOf<typeof attemptFields> {}

export const attemptCodec: field.Codec<Attempt> = field.record(attemptFields);

/** Whether a receiver accepted a webhook; a null status means no response. */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** The result of an attempt that has ended. */
export interface EndedAttempt {
  /** When it began, by the world's clock. */
  readonly began: number;
  readonly durationMs: number;
  readonly sent: Readonly<Record<string, string>>;
  readonly posted: Exclude<Posted, { readonly withheld: string }>;
}

/** The record of an attempt. Headers that equal those of the attempt before are stored once. */
export function recordAttempt(
  { began, durationMs, sent, posted }: EndedAttempt,
  note: string | null,
  before: Attempt | undefined,
): Attempt {
  const lines = formatHeaderLines({
    ...sent,
    ...(sent['authorization'] === undefined ? {} : { authorization: '***' }),
  });
  const isFailed = 'failed' in posted;
  return {
    at: began,
    responseStatus: isFailed ? null : posted.status,
    note,
    durationMs,
    sent: lines === before?.sent ? before.sent : lines,
    received: isFailed || posted.headers === undefined ? null : formatHeaderLines(posted.headers),
    answer:
      isFailed || posted.body === undefined ? null : maskSecrets(posted.body).slice(0, ANSWER_LOGGED_MAX),
  };
}

function formatHeaderLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return maskSecrets(lines.join('\n')).slice(0, HEADERS_LOGGED_MAX);
}
