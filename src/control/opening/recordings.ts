import { TRACE_HEADER, TRACE_HEADER_TEXT } from '../journal/trace.js';
import { isObject, parseJson } from '../../core/text/text.js';
import { insertStandIns } from '../../journal/mask.js';
import {
  BUNDLE,
  BUNDLES,
  JOURNAL,
  type JsonObject,
  refuseFile,
  requireFormat,
  STATE,
  TRACE,
} from './file-format.js';
import { type BodyContent, buildLoss, NOTHING, parseObject, readCharacters } from './body-content.js';
import { leadsToControl } from '../../http/request-key.js';
import { decodeBase64 } from '../../core/text/base64.js';
import {
  ENTRIES_MAX,
  separateUndone,
  textOrNull,
  type Trace,
  readTraceEntry,
  readTrace,
} from './recorded-call.js';

/** Twice as many as `exec` writes. */
const BUNDLES_MAX = 1000;

export interface RecordedWorld {
  readonly trace: Trace;
  /** The name of the world, or else the short hash of its key, in the file; null if unknown. */
  readonly world: string | null;
  /** The whole bundle, with the state of the world; null if the file has only calls. */
  readonly bundle: JsonObject | null;
}

/** The content of a file: a trace, bundles, a journal of `exec --journal`, an HTTP archive (HAR), or a state, which has no calls. */
export interface Recordings {
  readonly all: readonly RecordedWorld[];
  /** The word for such a file, such as `trace`. */
  readonly kind: string;
  /** Why the answers of a new world may differ, whatever was recorded; null if the file has what a replay needs. */
  readonly lack: string | null;
}

/** Reads a parsed file with calls, of any kind; to open it, also a state. `file` begins its refusals. */
export function readRecordings(read: unknown, file: string, isOpened = false): Recordings {
  if (isObject(read) && isObject(read['log'])) return readHarWorlds(read['log'], file);
  const format = isObject(read) ? read['Format'] : undefined;
  if (format === JOURNAL.format) return readJournalWorlds(requireFormat(file, read, JOURNAL), file);
  if (format === BUNDLE.format || format === BUNDLES.format) {
    const all = listBundles(read, file).map((bundle) => ({
      trace: readTrace(bundle['Trace'], file),
      world: textOrNull(bundle['Name']) ?? textOrNull(bundle['World']),
      bundle,
    }));
    return { kind: BUNDLE.noun, all, lack: null };
  }
  if (isOpened && format === STATE.format) {
    const trace = { clockMode: 'manual', evicted: 0, entries: [], recorded: [] };
    return { kind: STATE.noun, all: [{ trace, world: null, bundle: { State: read } }], lack: null };
  }
  const nouns = `trace, bundle, ${isOpened ? 'state, ' : ''}journal or HAR`;
  const all = [
    { trace: readTrace(requireFormat(file, read, TRACE, nouns), file), world: null, bundle: null },
  ];
  return isOpened
    ? buildRecordings(TRACE.noun, all, `${file} is a trace`)
    : { kind: TRACE.noun, all, lack: null };
}

/** The bundles of a file, parsed but not checked. Refuses what is none. */
function listBundles(read: unknown, file: string): readonly JsonObject[] {
  if (!isObject(read) || read['Format'] !== BUNDLES.format) return [requireFormat(file, read, BUNDLE)];
  const { Bundles } = requireFormat(file, read, BUNDLES);
  if (!Array.isArray(Bundles) || Bundles.length === 0) {
    return refuseFile(`${file}: Bundles must be a list that is not empty`);
  }
  if (Bundles.length > BUNDLES_MAX) {
    refuseFile(`${file}: too many bundles: ${Bundles.length}; the maximum is ${BUNDLES_MAX}`);
  }
  return Bundles.map((bundle: unknown, n) => requireFormat(`${file}: Bundles.${n}`, bundle, BUNDLE));
}

/** The key of the n-th world of a file, counted from 0, if the first has the given one. */
export function buildNthKey(key: string, n: number): string {
  return n === 0 ? key : `${key}_${n + 1}`;
}

/** Calls without a state. */
function buildRecordings(kind: string, all: readonly RecordedWorld[], whatItIs: string): Recordings {
  const lack = `${whatItIs}: it has the calls, but not the state, seed and scenario of their world, so answers may differ.`;
  return { kind, all, lack };
}

function readJournalWorlds({ Worlds, Evicted }: JsonObject, file: string): Recordings {
  const worlds = requireObjects(Worlds, `${file}: Worlds`);
  const all = worlds.map((world, n) => {
    const place = `${file}: Worlds.${n}`;
    const entries = requireObjects(world['Entries'], `${place}.Entries`).map((entry) =>
      convertJournalEntry(entry),
    );
    // Which world lost calls is unknown.
    const evicted = n === 0 && typeof Evicted === 'number' ? Evicted : 0;
    return buildRecordedWorld(entries, textOrNull(world['World']), `${place}.Entries`, evicted);
  });
  return buildRecordings(JOURNAL.noun, all, `${file} is a journal`);
}

function convertJournalEntry(entry: JsonObject): JsonObject {
  const { RequestHeaders, RequestBody, ResponseBody, Dialect, StandIns } = entry;
  return {
    ...entry,
    Headers: traceHeaders(isObject(RequestHeaders) ? Object.entries(RequestHeaders) : [], Dialect),
    Body: insertStandIns(RequestBody ?? null, listTexts(StandIns)),
    Response: ResponseBody ?? null,
  };
}

function readHarWorlds(log: JsonObject, file: string): Recordings {
  const place = `${file}: log.entries`;
  const isOwn = isObject(log['creator']) && log['creator']['name'] === 'playmoney';
  const worlds = new Map<string | null, JsonObject[]>();
  for (const entry of requireObjects(log['entries'], place)) {
    const made = convertHarEntry(entry);
    if (!isOwn && !isForService(made)) continue;
    const world = textOrNull(entry['_world']);
    const entries = worlds.get(world);
    if (entries === undefined) worlds.set(world, [made.entry]);
    else entries.push(made.entry);
  }
  if (worlds.size === 0 && !isOwn) {
    const detail = `${place} has no call of the service: none has the header x-secretkey or x-publickey`;
    refuseFile(detail);
  }
  const all = [...worlds].map(([world, entries]) => buildRecordedWorld(entries, world, place));
  return buildRecordings('HAR', all, `${file} is an HTTP archive`);
}

interface HarCall {
  readonly entry: JsonObject;
  readonly names: ReadonlySet<string>;
}

function convertHarEntry(entry: JsonObject): HarCall {
  const request = isObject(entry['request']) ? entry['request'] : {};
  const response = isObject(entry['response']) ? entry['response'] : {};
  const sent = isObject(request['postData']) ? request['postData'] : {};
  const content = isObject(response['content']) ? response['content'] : {};
  const address = String(request['url']);
  const url = URL.canParse(address) ? new URL(address) : null;
  const pairs = (Array.isArray(request['headers']) ? request['headers'] : [])
    .filter(isObject)
    .map(({ name, value }): [string, unknown] => [String(name).toLowerCase(), value]);
  const type: [string, unknown][] =
    sent['mimeType'] === undefined ? [] : [['content-type', sent['mimeType']]];
  const text = textOrNull(sent['text']);
  const { text: answer, lost } = readHarContent(content);
  return {
    names: new Set(pairs.map(([name]) => name)),
    entry: {
      At: entry['_at'] ?? entry['startedDateTime'],
      Method: request['method'],
      Path: url?.pathname ?? address,
      Query: url?.search.slice(1) ?? '',
      Headers: traceHeaders([...type, ...pairs], entry['_dialect']),
      Body: text === null ? null : insertStandIns(parseJson(text) ?? text, listTexts(entry['_standIns'])),
      Status: response['status'],
      Response: answer === '' ? null : (parseObject(answer) ?? answer),
      Lost: lost,
      RequestLost: text === null && hasBody(request['bodySize']) ? NOT_ARCHIVED.lost : null,
      Fault: entry['_fault'],
      Truncated: entry['_truncated'],
      RequestTruncated: entry['_requestTruncated'],
      Undone: entry['_undone'],
    },
  };
}

const NOT_ARCHIVED = buildLoss('not in the archive');

/** A body as an archive has it: browsers leave out some. */
function readHarContent({ text, encoding, size, mimeType }: JsonObject): BodyContent {
  if (typeof text !== 'string') return hasBody(size) ? NOT_ARCHIVED : NOTHING;
  if (encoding !== 'base64') return { text, lost: null };
  const bytes = decodeBase64(text);
  return bytes === undefined
    ? buildLoss('not valid Base64')
    : readCharacters(bytes, textOrNull(mimeType) ?? '');
}

function hasBody(size: unknown): boolean {
  return typeof size === 'number' && size > 0;
}

/** Whether a call of a browser or another program was one of the service: an archive has all calls of a page. */
function isForService({ names, entry }: HarCall): boolean {
  const isControl = leadsToControl(String(entry['Path']));
  return (
    (names.has('x-secretkey') || names.has('x-publickey')) && !isControl && entry['Method'] !== 'OPTIONS'
  );
}

function buildRecordedWorld(
  entries: readonly JsonObject[],
  world: string | null,
  place: string,
  evicted = 0,
): RecordedWorld {
  const calls = separateUndone(entries.map((entry, n) => readTraceEntry(entry, `${place}.${n}`)));
  // The mode of the clock is unknown: only the time between the calls counts.
  return { trace: { clockMode: 'real', evicted, ...calls }, world, bundle: null };
}

function traceHeaders(pairs: readonly (readonly [string, unknown])[], dialect: unknown): JsonObject {
  const own = dialect === 'sdk' ? { 'x-sandbox-dialect': dialect } : {};
  const sent = pairs.filter(
    ([name, text]) => TRACE_HEADER.test(name) && typeof text === 'string' && TRACE_HEADER_TEXT.test(text),
  );
  return { ...own, ...Object.fromEntries(sent) };
}

function requireObjects(value: unknown, place: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.length > ENTRIES_MAX) {
    refuseFile(`${place}: too many entries: ${value.length}; the maximum is ${ENTRIES_MAX}`);
  }
  if (Array.isArray(value) && value.every(isObject)) return value;
  refuseFile(`${place} must be a list of objects`);
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
