import { createInnerSandbox, type InnerSandbox } from '../../app/sandbox.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { isObject, parseJson } from '../../core/text/text.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { JsonObject } from '../files/json-file.js';
import { NODE_HOST } from '../machine/host.js';
import { diffAnswers } from '../replay/diff.js';
import { IdentifierMap } from '../replay/identifier-map.js';
import { diffAnswerShapes } from './compare.js';
import { imposeOutcome, isOwnRefusal, whyNotCompared } from './account.js';
import { type Contract, type DescribedCall, findDescribedCall } from './contract.js';
import type { AnswerShape } from './shape.js';
import { describeAnswer, type ObservedCall, readCode } from './observed-call.js';
import { collectShown, findNamedField, findPathField, StandInWorld } from './stand-in-records.js';
import { type ShapeVerdict, toVerdict } from './verdict.js';

const ORIGIN = 'http://localhost';
const KEY = 'sk_test_verify';
/** A key that is refused, for calls that the service refused for theirs. */
const WRONG_KEY = 'sk_test_invalid';
const INVALID_KEY_STATUS = 401;
/** How many records of a search are made, so that there is something to compare. */
const LISTED_MAX = 3;
const DEPTH_MAX = 6;
/** A record of a search. */
const LISTED_ITEM = /^(?:\$|[A-Za-z]+s)\[\]$/;
/** Headers of a request that change its answer. */
const SENT_HEADERS = /^(?:content-type|accept|providerid|x-sandbox-.*)$/;

/** Sends the calls of a run to a fresh world as well, which gets the records and the outcomes of the service. */
export class Mirror {
  readonly #sandbox: InnerSandbox;
  readonly #ids = new IdentifierMap();
  readonly #records: StandInWorld;

  constructor(
    private readonly contract: Contract,
    dialect: Dialect,
    start: number,
    calls: readonly ObservedCall[],
  ) {
    const views = new Map<string, JsonObject>();
    for (const { answer } of calls) collectShown(answer, views);
    this.#sandbox = createInnerSandbox(NODE_HOST, { dialect, clock: { mode: 'manual', start } });
    this.#records = new StandInWorld(
      async (method, path, body, headers) => {
        const { status, value } = await this.#send({
          method,
          target: path,
          body,
          headers: { 'x-sandbox-dialect': 'documented', ...headers },
        });
        return status < 400 && isObject(value) ? value : null;
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
    const described = findDescribedCall(call.method, call.path);
    const reason = whyNotCompared(call);
    if (reason !== null) return toVerdict(theirs, { reason });
    await this.#send({
      method: 'POST',
      target: '/_sandbox/clock/advance',
      body: { To: new Date(call.at).toISOString() },
    });
    const unknown = described === undefined ? [] : await this.#makeUnknown(call, described);
    if (described !== undefined && call.status < 400) await this.#makeListed(call.answer);
    const { mine, value } = await this.#repeat(call, described);
    if (isObject(value) && isObject(call.answer)) {
      const none = { ignored: new Set<string>(), cut: { recorded: false, replayed: false } };
      // Its identifiers correspond to those of the service from now on.
      diffAnswers(call.answer, value, this.#ids, none);
    }
    const lines = diffAnswerShapes(mine, theirs, this.contract);
    const isRefused = mine.status >= 400;
    if (isRefused && theirs.status < 400 && unknown.length > 0)
      return toVerdict(theirs, { reason: `a fresh world has no such record (${unknown.join(', ')})` });
    if (
      !isRefused &&
      theirs.status >= 400 &&
      described !== undefined &&
      !isOwnRefusal(described, theirs.code, this.contract)
    )
      return toVerdict(theirs, {
        reason: `the service refused with code ${theirs.code ?? 'none'}, which depends on the account`,
      });
    if (mine.status < 400 && hasUnknownItems(mine, theirs))
      return toVerdict(theirs, { reason: 'a fresh world has no such records' });
    return toVerdict(theirs, lines);
  }

  async #repeat(call: ObservedCall, described: DescribedCall | undefined) {
    const { method, target, body, headers, status } = call;
    const outcome =
      described?.row.asksProvider && headers['x-sandbox-outcome'] === undefined ? imposeOutcome(call) : null;
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => SENT_HEADERS.test(name)));
    const {
      target: to,
      body: text,
      providerid,
    } = this.#ids.translate({ target, body, providerid: headers['providerid'] });
    const sent = await this.#send({
      method,
      target: to,
      text,
      headers: {
        ...kept,
        ...(providerid === undefined ? {} : { providerid }),
        ...(outcome === null ? {} : { 'x-sandbox-outcome': outcome }),
      },
      isPublic: headers['x-publickey'] !== undefined,
      isWrongKey: status === INVALID_KEY_STATUS,
    });
    const mine = describeAnswer(
      { ...call, status: sent.status, answer: sent.value, code: sent.code, answerHeaders: sent.headers },
      this.contract,
    );
    return { mine, value: sent.value };
  }

  async #send(sent: {
    readonly method: string;
    readonly target: string;
    readonly body?: object | undefined;
    readonly text?: string | null;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly isPublic?: boolean;
    readonly isWrongKey?: boolean;
  }) {
    const { method, target, body, headers = {}, isPublic = false, isWrongKey = false } = sent;
    const text = body === undefined ? (sent.text ?? null) : JSON.stringify(body);
    const hasBody = text !== null && text !== '' && method !== 'GET' && method !== 'HEAD';
    const key = isWrongKey ? WRONG_KEY : KEY;
    const request = new Request(ORIGIN + target, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(isPublic ? { 'x-publickey': key.replace('sk_', 'pk_') } : { 'x-secretkey': key }),
      },
      body: hasBody ? text : null,
    });
    const response = await this.#sandbox.fetch(request);
    const value = parseJson(await response.text());
    return { status: response.status, value, code: readCode(value), headers: [...response.headers] };
  }

  /** Makes the records that a request names and no earlier answer had. Returns the names of those that cannot be made. */
  async #makeUnknown(call: ObservedCall, described: DescribedCall): Promise<readonly string[]> {
    const missing: string[] = [];
    const pathField = findPathField(described.row.path);
    const named: [string | undefined, string][] = [
      ...described.ids.map((id): [string | undefined, string] => [pathField, id]),
      ...listNamed(parseJson(call.body ?? '') ?? null),
    ];
    // The service does not know them either.
    const isUnknownThere =
      call.status === 404 ||
      (call.status >= 400 && this.contract.listStatusesOfCode(described.row, call.code ?? 0).includes(404));
    if (isUnknownThere) return [];
    for (const [field, id] of named) {
      if (field === undefined || this.#ids.translate(id) !== id || isMagicToken(id)) continue;
      const shown = isObject(call.answer) ? call.answer : {};
      if ((await this.#records.make(field, id, shown, describeBefore(described))) === null)
        missing.push(field);
    }
    return missing;
  }

  /** Makes the first records of a list, unless the fresh world has them. */
  async #makeListed(answer: unknown): Promise<void> {
    const lists = Array.isArray(answer)
      ? [answer]
      : isObject(answer)
        ? Object.values(answer).filter(Array.isArray)
        : [];
    for (const item of lists.flatMap((list) => (list as unknown[]).slice(0, LISTED_MAX))) {
      if (!isObject(item)) continue;
      const [name, id] = Object.entries(item)[0] ?? [];
      const field = findNamedField(name ?? '');
      if (field !== undefined && typeof id === 'string' && this.#ids.translate(id) === id)
        await this.#records.make(field, id, item);
    }
  }
}

/** Tokens such as tok_approve are known everywhere. */
function isMagicToken(id: string): boolean {
  return readMagicToken(id)?.kind === 'token';
}

/** Whether the service lists records, and the fresh world lists none. */
function hasUnknownItems(mine: AnswerShape, theirs: AnswerShape): boolean {
  return [...theirs.fields.keys()].some((path) => {
    if (!LISTED_ITEM.test(path) || mine.fields.has(path)) return false;
    return mine.fields.get(path.slice(0, -2))?.has('array') ?? false;
  });
}

/** The identifiers of records in a request, with the field that names such records. */
function listNamed(value: unknown, depth = 0): [string, string][] {
  if (depth > DEPTH_MAX || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const field = typeof inner === 'string' ? findNamedField(name) : undefined;
    return field === undefined ? listNamed(inner, depth + 1) : [[field, inner as string]];
  });
}

/** The state that a charge must have had, so that the service could do with it what was asked. */
function describeBefore({ row }: DescribedCall): JsonObject {
  const operation = typeof row.operation === 'string' ? row.operation : '';
  if (operation === 'charge.capture' || operation === 'charge.void') return { Status: 'AUTHORISE' };
  return {};
}
