import { traceEntry, writeTrace } from '../../control/journal/trace.js';
import { DEFAULT_DIALECT, type Dialect } from '../../core/dialect/dialect.js';
import { isObject, parsedJson } from '../../core/text/text.js';
import { JsonFault } from '../../core/json/json-fault.js';
import { readJson } from '../../core/json/json.js';
import { decodeUtf8 } from '../../http/body/utf8.js';
import { NO_BODY } from '../../journal/body.js';
import { Journal } from '../../journal/journal.js';
import type { Entry } from '../../journal/entry.js';
import { HIDDEN } from '../../core/text/secret-fields.js';
import { maskUnread, type SentBody, sentBody } from '../../journal/sent.js';
import type { Write } from '../files/whole-file.js';
import type { Body, Passed } from './proxy.js';

/** Limits of one recording: `replay` reads files of at most 256 MiB. */
const CALLS_MAX = 10_000;
const BYTES_MAX = 128 * 1024 * 1024;
const KEYS_MAX = 100;
/** Shorter keys are not masked in answers, where they are probably ordinary words. */
const KEY_LENGTH_MIN = 8;
const KEY_HEADERS: ReadonlySet<string> = new Set(['x-secretkey', 'x-publickey', 'authorization']);

/** The calls that went through a proxy, masked as in a journal. */
export class Recording {
  readonly #journal = new Journal();
  readonly #entries: Entry[] = [];
  readonly #keys = new Set<string>();
  #bytes = 0;
  #left = 0;

  get calls(): number {
    return this.#entries.length;
  }

  /** How many calls were dropped because the recording was full. */
  get left(): number {
    return this.#left;
  }

  /** Adds a call. Later calls build on earlier ones, so nothing is added after one was dropped. */
  keep(passed: Passed, now: number): void {
    if (this.#left > 0 || this.calls >= CALLS_MAX || this.#bytes >= BYTES_MAX) {
      this.#left++;
      return;
    }
    for (const [name, value] of pairsOf(passed.headers)) this.#noteKey(name, value);
    const id = this.#journal.record(exchangeOf(passed, now));
    for (const entry of this.#journal.entries(id)) {
      this.#entries.push(entry);
      this.#bytes += entry.bytes;
    }
    this.#journal.clear();
  }

  async write(write: Write, now: number): Promise<void> {
    const head = { now, mode: 'real', rate: 1, evicted: 0, seed: null } as const;
    for (const piece of writeTrace(head, this.#lines())) await write(piece);
    await write('\n');
  }

  *#lines(): Generator<string, void> {
    const dialect = dialectOf(this.#entries);
    for (const entry of this.#entries) {
      yield `\n${this.#withoutKeys(JSON.stringify(traceEntry(entry, dialect)))}`;
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

function exchangeOf(passed: Passed, now: number) {
  const { method, target, status, answered, failure } = passed;
  const mark = target.indexOf('?');
  const text =
    answered.isTooLong || failure !== null ? undefined : unlessFaulty(() => decodeUtf8(answered.bytes));
  const responseBody = text === undefined ? undefined : parsedJson(text);
  return {
    at: now,
    realAt: now,
    durationMs: 0,
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    operation: null,
    requestId: '',
    headers: pairsOf(passed.headers),
    request: sentIn(passed.sent),
    status,
    responseBody: responseBody ?? null,
    responseText: responseBody === undefined ? null : (text ?? null),
    trigger: null,
    // Recorded like a fault of the sandbox, so that a replay does not compare the body.
    fault: status !== 0 && failure !== null ? 'truncate' : null,
    rule: null,
    precedence: null,
    reference: null,
    warning: null,
  };
}

function sentIn({ bytes, isTooLong }: Body): SentBody | null {
  if (isTooLong) return { ...NO_BODY, truncated: true };
  if (bytes.length === 0) return null;
  const text = unlessFaulty(() => decodeUtf8(bytes));
  return text === undefined
    ? maskUnread(new TextDecoder().decode(bytes))
    : sentBody(
        text,
        unlessFaulty(() => readJson(text)),
      );
}

/** Returns undefined for bytes that are not UTF-8, or text that is not JSON. */
function unlessFaulty<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}

function* pairsOf(raw: readonly string[]): Generator<readonly [string, string], void> {
  for (let n = 0; n < raw.length; n += 2) yield [raw[n] ?? '', raw[n + 1] ?? ''];
}

/** The dialect of the first answer that has fields: in `sdk`, their names begin with a lower-case letter. */
function dialectOf(entries: readonly Entry[]): Dialect {
  for (const { answer } of entries) {
    const first: unknown = Array.isArray(answer) ? answer[0] : answer;
    const [name] = isObject(first) ? Object.keys(first) : [];
    if (name !== undefined && /^[a-z]/i.test(name)) return /^[a-z]/.test(name) ? 'sdk' : 'documented';
  }
  return DEFAULT_DIALECT;
}
