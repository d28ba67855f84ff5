import { buildTraceEntry, writeTrace } from '../../control/journal/trace.js';
import { DEFAULT_DIALECT, type Dialect } from '../../core/dialect/dialect.js';
import { dropNulls } from '../../core/given.js';
import { isObject } from '../../core/text/text.js';
import { JsonFault } from '../../core/json/json-fault.js';
import { readJson } from '../../core/json/json.js';
import { NO_BODY } from '../../journal/body.js';
import { Journal } from '../../journal/journal.js';
import type { Entry } from '../../journal/entry.js';
import { HIDDEN } from '../../core/text/secret-fields.js';
import { type SentBody, toSentBody } from '../../journal/request-body.js';
import type { WritePiece } from '../files/whole-file.js';
import { type BodyContent, buildLoss, parseObject, toUtf8Type } from '../../control/opening/body-content.js';
import { CallsByReason, type LossReasons } from './losses.js';
import type { PassedCall } from './proxy.js';

/** Limits of one recording: `replay` reads files of at most 256 MiB. */
const CALLS_MAX = 10_000;
const BYTES_MAX = 128 * 1024 * 1024;
const KEYS_MAX = 100;
/** Shorter keys are not masked in answers, where they are probably ordinary words. */
const KEY_LENGTH_MIN = 8;
const CUT_OFF = buildLoss('cut off');
const KEY_HEADERS: ReadonlySet<string> = new Set(['x-secretkey', 'x-publickey', 'authorization']);

/** A call as it is recorded, and what of it could not be. */
interface RecordedCall extends LossReasons {
  readonly entry: Entry;
  /** Whether the answer is a text that is not JSON, which the entry has as the only item of a list. */
  readonly isText: boolean;
}

/** The calls that went through a proxy, masked as in a journal. */
export class Recording {
  readonly #journal = new Journal();
  readonly #kept: RecordedCall[] = [];
  readonly #keys = new Set<string>();
  #bytes = 0;
  #left = 0;

  get calls(): number {
    return this.#kept.length;
  }

  /** How many calls were dropped because the recording was full. */
  get left(): number {
    return this.#left;
  }

  /** Adds a call. Later calls build on earlier ones, so nothing is added after one was dropped. */
  keep(passed: PassedCall, now: number): void {
    if (this.#left > 0 || this.calls >= CALLS_MAX || this.#bytes >= BYTES_MAX) {
      this.#left++;
      return;
    }
    for (const [name, value] of pairRawHeaders(passed.headers)) this.#noteKey(name, value);
    const { request, answer, isText, lost, requestLost } = readContents(passed);
    const id = this.#journal.record({ ...toJournalCall(passed, now), ...answer, request });
    for (const entry of this.#journal.entries(id)) {
      this.#kept.push({ entry, isText, lost, requestLost });
      this.#bytes += entry.bytes;
    }
    this.#journal.clear();
  }

  /** A line for each reason why bodies could not be recorded. */
  get lossLines(): readonly string[] {
    const losses = new CallsByReason();
    for (const [n, kept] of this.#kept.entries()) losses.addLost(n + 1, kept);
    return losses.lines.map((line) => this.#withoutKeys(line));
  }

  async write(write: WritePiece, now: number): Promise<void> {
    const head = { now, mode: 'real', rate: 1, evicted: 0, seed: null } as const;
    for (const piece of writeTrace(head, this.#lines())) await write(piece);
    await write('\n');
  }

  *#lines(): Generator<string, void> {
    const dialect = guessDialect(this.#kept);
    for (const { entry, isText, lost, requestLost } of this.#kept) {
      const written = buildTraceEntry(entry, dialect);
      const Response = isText ? (written.Response as readonly string[])[0] : written.Response;
      const losses = dropNulls({ Lost: lost, RequestLost: requestLost });
      yield `\n${this.#withoutKeys(JSON.stringify({ ...written, Response, ...losses }))}`;
    }
  }

  #noteKey(name: string, value: string): void {
    if (!KEY_HEADERS.has(name.toLowerCase()) || this.#keys.size >= KEYS_MAX) return;
    for (const word of value.split(/[\s,]+/)) if (word.length >= KEY_LENGTH_MIN) this.#keys.add(word);
  }

  /** Masks keys by their values, since those of another service have no prefix that the journal knows. */
  #withoutKeys(text: string): string {
    let shown = text;
    for (const key of this.#keys) shown = shown.replaceAll(JSON.stringify(key).slice(1, -1), HIDDEN);
    return shown;
  }
}

function toJournalCall({ method, target, headers, status, failure }: PassedCall, now: number) {
  const mark = target.indexOf('?');
  return {
    at: now,
    realAt: now,
    durationMs: 0,
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    operation: null,
    requestId: '',
    headers: Array.from(pairRawHeaders(headers), ([name, text]) => [name, toUtf8Type(text)] as const),
    status,
    trigger: null,
    // Recorded like a fault of the sandbox, so that a replay does not compare the body.
    fault: status !== 0 && failure !== null ? 'truncate' : null,
    rule: null,
    precedence: null,
    reference: null,
    warning: null,
  };
}

function readContents({ sent, answered, status, failure }: PassedCall) {
  const [request, response] = [sent.content, failure === null ? answered.content : CUT_OFF];
  const value = parseObject(response.text);
  const isText = value === undefined && response.text !== '';
  // A journal masks the whole of a lone text, but only the secrets in the texts of a list.
  const answer = isText
    ? { responseBody: [response.text], responseText: null }
    : { responseBody: value ?? null, responseText: value === undefined ? null : response.text };
  // Without an answer, nothing of it is lost.
  const lost = status === 0 ? null : response.lost;
  return { request: toRequestBody(request), answer, isText, lost, requestLost: request.lost };
}

function toRequestBody({ text, lost }: BodyContent): SentBody | null {
  if (lost !== null) return { ...NO_BODY, truncated: true };
  if (text === '') return null;
  return toSentBody(
    text,
    readOrUndefined(() => readJson(text)),
  );
}

/** Returns undefined for text that is not JSON. */
function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}

function* pairRawHeaders(raw: readonly string[]): Generator<readonly [string, string], void> {
  for (let n = 0; n < raw.length; n += 2) yield [raw[n] ?? '', raw[n + 1] ?? ''];
}

/** The dialect of the first answer that has fields: in `sdk`, their names begin with a lower-case letter. */
function guessDialect(all: readonly RecordedCall[]): Dialect {
  for (const {
    entry: { answer },
  } of all) {
    const first: unknown = Array.isArray(answer) ? answer[0] : answer;
    const [name] = isObject(first) ? Object.keys(first) : [];
    if (name !== undefined && /^[a-z]/i.test(name)) return /^[a-z]/.test(name) ? 'sdk' : 'documented';
  }
  return DEFAULT_DIALECT;
}
