import { DIALECTS } from '../../core/dialect/dialect.js';
import * as field from '../../core/store/field.js';
import type { StoredCall } from '../../journal/entry.js';
import { REQUEST_MAX, type MaskedBody } from '../../journal/body.js';
import type { QueuedHeader } from '../../journal/completed-call.js';
import { HOLD_ENDS } from '../../records/held-time.js';
import type { SentBody } from '../../journal/request-body.js';
import type { World } from '../../world/world.js';

const CALLS_NOTE =
  'The calls of a world as they were sent, with its key and full card numbers. Do not share it.';
/** Calls in one piece of the text. */
const PIECE_CALLS = 50;

const bodyCodec = field.text(2 * REQUEST_MAX);
const maskedBodyCodec: field.Codec<MaskedBody> = field.record({
  text: field.orNull(bodyCodec),
  truncated: field.flag,
  standIns: field.list(field.anyText),
});

const sentBodyCodec: field.Codec<SentBody> = {
  read: (value) => (typeof value === 'string' ? bodyCodec.read(value) : maskedBodyCodec.read(value)),
  write: (value) => (typeof value === 'string' ? value : maskedBodyCodec.write(value)),
};

const queuedHeaderCodec: field.Codec<QueuedHeader> = {
  read: (value) => {
    const [name, text] = field.list(field.anyText).read(value);
    return [field.word('x-sandbox-outcome', 'x-sandbox-fault').read(name), field.anyText.read(text)];
  },
  write: (value) => value,
};

/** A call of the journal, with everything that the journal stores of it. */
const callCodec = field.record({
  id: field.count,
  at: field.instant,
  realAt: field.instant,
  durationMs: field.number(0, Infinity),
  method: field.anyText,
  path: field.anyText,
  query: field.anyText,
  operation: field.maybeText,
  requestId: field.anyText,
  dialect: field.orNull(field.word(...DIALECTS)),
  dialectBy: field.maybeText,
  headers: field.list(field.anyText),
  request: field.orNull(sentBodyCodec),
  response: field.orNull(bodyCodec),
  isResponseCut: field.toggle,
  isRecorded: field.toggle,
  status: field.count,
  trigger: field.maybeText,
  fault: field.maybeText,
  rule: field.maybeText,
  precedence: field.maybeText,
  reference: field.maybeText,
  created: field.maybeText,
  warning: field.maybeText,
  caused: field.list(field.anyText),
  queued: field.orNull(queuedHeaderCodec),
  held: field.orNull(field.record({ by: field.word(...HOLD_ENDS), ms: field.number(0, Infinity) })),
  bytes: field.count,
});

const callsCodec = field.record({ note: field.maybeText, calls: field.list(callCodec) });

/** One call as JSON, of which {@link readCalls} reads a list. */
export function writeCall(recorded: StoredCall): string {
  const { created = null, caused = [], dialect = null, dialectBy = null } = recorded;
  return JSON.stringify(callCodec.write({ ...recorded, created, caused, dialect, dialectBy }));
}

/** The calls of a world as one JSON document, in pieces. */
export async function* writeCalls(
  { journal }: World,
  pause: () => Promise<void>,
): AsyncGenerator<string, void> {
  let piece = `{"Note":${JSON.stringify(CALLS_NOTE)},"Calls":[`;
  let n = 0;
  for (const recorded of journal.storedCalls()) {
    if (n > 0) piece += ',';
    piece += writeCall(recorded);
    if (++n % PIECE_CALLS > 0) continue;
    yield piece;
    piece = '';
    await pause();
  }
  yield `${piece}]}\n`;
}

/** Reads what {@link writeCalls} wrote. Throws a ValidationError. */
export function readCalls(value: unknown): readonly StoredCall[] {
  return value === null ? [] : callsCodec.read(value).calls;
}
