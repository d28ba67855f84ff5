import { readJson } from '../../src/core/json/json.js';
import { NumberText } from '../../src/core/text/text.js';
import { type Entry, MaskedCall } from '../../src/journal/entry.js';
import type { Match } from '../../src/journal/match.js';
import { Journal } from '../../src/journal/journal.js';
import type { CompletedCall } from '../../src/journal/completed-call.js';
import { type SentBody, toSentBody } from '../../src/journal/request-body.js';
import type { WaitLimit } from '../../src/journal/waiters.js';

const ORDER = { Amount: 5, Reference: 'order-1' };

/** What a test says of an exchange; the body of its request may be given as a value. */
type Given = Partial<CompletedCall> & { readonly requestBody?: unknown };

/** The JSON of a value, whose numbers may be given by their digits. */
export function jsonOf(value: unknown, indent?: number): string {
  const numbers: string[] = [];
  const text = JSON.stringify(
    value,
    (_, inner: unknown) => (inner instanceof NumberText ? `#${numbers.push(inner.text) - 1}#` : inner),
    indent,
  );
  return text.replaceAll(/"#(\d+)#"/g, (_, n: string) => numbers[Number(n)] ?? '');
}

/** A body as the edge hands it over, readable or not. */
export function sentOf(text: string): SentBody {
  try {
    return toSentBody(text, readJson(text));
  } catch {
    return toSentBody(text, undefined);
  }
}

/** An exchange as the edge hands it over: a charge that approved, unless something else is given. */
export function exchanged({ requestBody = ORDER, ...given }: Given = {}): CompletedCall {
  return {
    at: 1_000,
    realAt: 2_000,
    durationMs: 3,
    method: 'POST',
    path: '/charge/card',
    query: '',
    operation: 'charge.create',
    requestId: 'request-1',
    headers: [['content-type', 'application/json']],
    request: toSentBody(jsonOf(requestBody), requestBody),
    status: 200,
    responseBody: { ChargeId: 'c-1' },
    responseText: null,
    trigger: null,
    fault: null,
    rule: null,
    precedence: 'approve',
    reference: 'order-1',
    warning: null,
    ...given,
  };
}

export function journalOf(...exchanges: Given[]): Journal {
  const journal = new Journal();
  for (const one of exchanges) journal.record(exchanged(one));
  return journal;
}

/** What a search finds, newest first. */
export async function found(
  journal: Journal,
  match: Match = {},
  text: string | null = null,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of journal.search(match, text, () => Promise.resolve())) entries.push(entry);
  return entries;
}

/** All entries, newest first. */
export function newestFirst(journal: Journal): Entry[] {
  return [...journal.entries()].toReversed();
}

/** All fields of an entry, also those that it reads when asked. */
function fieldsOf(entry: Entry): object {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(MaskedCall.prototype)).filter(
    ([, { get }]) => get !== undefined,
  );
  return { ...entry, ...Object.fromEntries(getters.map(([name]) => [name, entry[name as keyof Entry]])) };
}

/** All that a journal would tell, as one text. */
export function shown(journal: Journal): string {
  return JSON.stringify(newestFirst(journal).map(fieldsOf));
}

/** A timer that a test fires itself. */
export function patience(): WaitLimit & { fire(): void; cancelled: boolean } {
  const made = {
    timeoutMs: 5_000,
    cancelled: false,
    fire: () => {},
    timer: (callback: () => void) => {
      made.fire = callback;
      return () => {
        made.cancelled = true;
      };
    },
  };
  return made;
}
