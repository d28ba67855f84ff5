import { createInnerSandbox, type InnerSandbox } from '../../app/sandbox.js';
import { isObject, parseJson } from '../../core/text/text.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { JsonObject } from '../../control/opening/file-format.js';
import { NODE_HOST } from '../machine/host.js';
import { diffAnswers } from '../../control/opening/diff.js';
import { IdentifierMap } from '../../control/opening/identifier-map.js';
import { diffAnswerShapes } from './compare.js';
import { imposeOutcome, isOwnRefusal, whyNotCompared } from './account.js';
import { type Contract, type DescribedCall, findDescribedCall, guessDialect } from './contract.js';
import type { AnswerShape } from './shape.js';
import { describeAnswer, listNames, type ObservedCall, readCode } from './observed-call.js';
import {
  collectShown,
  findNamedKind,
  findRecordKind,
  type RecordKind,
  StandInWorld,
} from './stand-in-records.js';
import { type ShapeVerdict, toVerdict } from './verdict.js';

const ORIGIN = 'http://localhost';
const KEY = 'sk_test_verify';
/** A key that is refused, for calls that the service refused for theirs. */
const WRONG_KEY = 'sk_test_invalid';
export const INVALID_KEY_STATUS = 401;
/** How many records of a search are made, so that there is something to compare. */
const LISTED_MAX = 3;
const DEPTH_MAX = 6;
/** A record of a search. */
const LISTED_ITEM = /^(?:\$|[A-Za-z]+s)\[\]$/;
/** Headers of a request that change its answer. */
const SENT_HEADERS = /^(?:content-type|accept|providerid|x-sandbox-.*)$/;
const OWN_HEADERS = {
  'x-secretkey': KEY,
  'content-type': 'application/json',
  'x-sandbox-dialect': 'documented',
};
/** No field is ignored, and no answer was cut. */
const WHOLE = { ignored: new Set<string>(), cut: { recorded: false, replayed: false } };

/** Sends the calls of a run to a fresh world as well, which gets the records and the outcomes of the service. */
export class Mirror {
  readonly #sandbox: InnerSandbox;
  readonly #ids = new IdentifierMap();
  readonly #records: StandInWorld;

  constructor(
    private readonly contract: Contract,
    calls: readonly ObservedCall[],
    start: number,
  ) {
    const views = new Map<string, JsonObject>();
    for (const { answer } of calls) collectShown(answer, views);
    const dialect = guessDialect(calls.flatMap(({ answer }) => listNames(answer)));
    this.#sandbox = createInnerSandbox(NODE_HOST, { dialect, clock: { mode: 'manual', start } });
    this.#records = new StandInWorld(
      async (method, path, body, headers) => {
        const text = body === undefined ? null : JSON.stringify(body);
        const { answer } = await this.#send(method, path, text, { ...OWN_HEADERS, ...headers });
        return isObject(answer) ? answer : {};
      },
      views,
      (theirs, mine) => void this.#ids.pair(theirs, mine),
    );
  }

  close(): void {
    this.#sandbox.close();
  }

  /** Compares the answer of the service with that of the fresh world. */
  async compare(call: ObservedCall): Promise<ShapeVerdict> {
    const theirs = describeAnswer(call, this.contract);
    return toVerdict(theirs, whyNotCompared(call) ?? (await this.#diff(call, theirs)));
  }

  /** The differences, or why nothing was compared. */
  async #diff(call: ObservedCall, theirs: AnswerShape): Promise<readonly string[] | string> {
    const To = new Date(call.at).toISOString();
    await this.#send('POST', '/_sandbox/clock/advance', JSON.stringify({ To }), OWN_HEADERS);
    const described = findDescribedCall(call.method, call.path);
    const unknown = described === undefined ? [] : await this.#makeUnknown(call, described);
    if (described !== undefined && call.status < 400) await this.#makeListed(call.answer);
    const repeated = { ...call, ...(await this.#repeat(call, described)) };
    // From now on, identifiers of the fresh world correspond to those of the service.
    diffAnswers(call.answer, repeated.answer, this.#ids, WHOLE);
    const mine = describeAnswer(repeated, this.contract);
    const [isRefused, isRefusedThere] = [mine.status >= 400, theirs.status >= 400];
    if (isRefused && !isRefusedThere && unknown.length > 0)
      return `a fresh world has no such record (${unknown.join(', ')})`;
    if (!isRefused && isRefusedThere && described && !isOwnRefusal(described, theirs.code, this.contract))
      return `the service refused with code ${theirs.code ?? 'none'}, which depends on the account`;
    if (!isRefused && hasUnknownItems(mine, theirs)) return 'a fresh world has no such records';
    return diffAnswerShapes(mine, theirs, this.contract);
  }

  async #repeat(
    { method, target, body, headers, ...call }: ObservedCall,
    described: DescribedCall | undefined,
  ) {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => SENT_HEADERS.test(name)));
    const outcome = described?.row.asksProvider ? imposeOutcome(call) : null;
    if (outcome !== null) kept['x-sandbox-outcome'] ??= outcome;
    const key = call.status === INVALID_KEY_STATUS ? WRONG_KEY : KEY;
    if (headers['x-publickey'] === undefined) kept['x-secretkey'] = key;
    else kept['x-publickey'] = key.replace('sk_', 'pk_');
    const sent = this.#ids.translate({ target, body, kept });
    return this.#send(method, sent.target, sent.body, sent.kept);
  }

  async #send(
    method: string,
    target: string,
    text: string | null,
    headers: Readonly<Record<string, string>>,
  ) {
    const isRead = method === 'GET' || method === 'HEAD';
    const request = new Request(ORIGIN + target, { method, headers, body: isRead ? null : text });
    const response = await this.#sandbox.fetch(request);
    const answer = parseJson(await response.text());
    return { status: response.status, answer, code: readCode(answer), answerHeaders: [...response.headers] };
  }

  /** Makes the records that a request names and no earlier answer had. Returns the names of those that cannot be made. */
  async #makeUnknown(call: ObservedCall, { row, ids }: DescribedCall): Promise<readonly string[]> {
    const { status, code, answer } = call;
    // The service does not know them either.
    const isUnknownThere =
      status === 404 || (status >= 400 && this.contract.listStatusesOfCode(row, code ?? 0).includes(404));
    if (isUnknownThere) return [];
    const missing: string[] = [];
    const inPath = ids.map((id) => [findRecordKind(row.path), id] as const);
    const shown = isObject(answer) ? answer : {};
    // The service could only do what was asked if the charge was authorised before.
    const isOfHeld = row.operation === 'charge.capture' || row.operation === 'charge.void';
    for (const [kind, id] of [...inPath, ...listNamed(parseJson(call.body ?? ''))]) {
      if (kind === undefined || this.#isKnown(id)) continue;
      const made = await this.#records.make(kind, id, shown, isOfHeld ? { Status: 'AUTHORISE' } : {});
      if (made === null) missing.push(kind.field);
    }
    return missing;
  }

  /** Tokens such as tok_approve are known everywhere. */
  #isKnown(id: string): boolean {
    return this.#ids.translate(id) !== id || readMagicToken(id)?.kind === 'token';
  }

  /** Makes the first records of a list, unless the fresh world has them. */
  async #makeListed(answer: unknown): Promise<void> {
    const lists = Array.isArray(answer) ? [answer] : Object.values(answer ?? {}).filter(Array.isArray);
    for (const item of lists.flatMap((list: readonly unknown[]) => list.slice(0, LISTED_MAX))) {
      const [name = '', id] = isObject(item) ? (Object.entries(item)[0] ?? []) : [];
      const kind = findNamedKind(name);
      if (kind !== undefined && typeof id === 'string' && !this.#isKnown(id))
        await this.#records.make(kind, id, item as JsonObject);
    }
  }
}

/** Whether the service lists records, and the fresh world lists none. */
function hasUnknownItems({ fields: mine }: AnswerShape, theirs: AnswerShape): boolean {
  const others = [...theirs.fields.keys()].filter((path) => LISTED_ITEM.test(path) && !mine.has(path));
  return others.some((path) => mine.get(path.slice(0, -2))?.has('array'));
}

/** The identifiers of records in a request, with the kind of the record. */
function listNamed(value: unknown, depth = 0): (readonly [RecordKind, string])[] {
  if (depth > DEPTH_MAX || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const kind = typeof inner === 'string' ? findNamedKind(name) : undefined;
    return kind === undefined ? listNamed(inner, depth + 1) : [[kind, inner as string] as const];
  });
}
