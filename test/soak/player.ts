import { successStatus } from '../support/conformity.js';
import type { Answer, Call, Client, Stream } from './client.js';
import { Dice } from './dice.js';
import type { Findings } from './findings.js';
import type { Pace } from './pace.js';

/** An answer as JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** What must come back. */
export interface Want {
  /** That of the operation's success unless given; 0: no whole answer. */
  readonly status?: number;
  /** The code of an error's body. */
  readonly code?: number;
  /** Members that the answer must have, however deep; of a list its first elements. */
  readonly has?: object;
  /** Words that its text holds. */
  readonly says?: string;
}

export interface Tools {
  readonly client: Client;
  readonly pace: Pace;
  readonly findings: Findings;
  readonly seed: string;
}

/** Thrown at an answer that nobody expected: what follows would tell nothing new. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

const TEXT_SHOWN_MAX = 400;

/** Calls the world of one key, and holds each answer against what is expected. */
export class Player {
  readonly dice: Dice;

  constructor(
    readonly key: string,
    private readonly tools: Tools,
    name = '',
  ) {
    this.dice = new Dice(tools.seed, key + name);
  }

  get findings(): Findings {
    return this.tools.findings;
  }

  /** Makes a call in its turn; reports an answer other than the one that is wanted, and throws a UnexpectedAnswer. */
  async ask(call: string, body?: object | string, want: Want = {}, headers: object = {}): Promise<Members> {
    return this.#judge(call, await this.send(call, body, headers), want);
  }

  /** The same of a call without a body. */
  see(call: string, want: Want = {}, headers: object = {}): Promise<Members> {
    return this.ask(call, undefined, want, headers);
  }

  async advance(By: string): Promise<void> {
    await this.ask('POST /_sandbox/clock/advance', { By });
  }

  /** Makes two calls in one turn, the second of which lets the first come to its end. */
  async askBoth(
    first: readonly [string, object, Want],
    second: readonly [string, object, Want],
  ): Promise<void> {
    const { pace, client } = this.tools;
    const both = [first, second] as const;
    const answers = await pace.turn(() =>
      Promise.all(both.map(([call, body]) => client.call(this.#callOf(call, body)))),
    );
    for (const [i, [call, , want]] of both.entries()) this.#judge(call, answers[i] as Answer, want);
  }

  /** Makes a call, and leaves its answer to the caller. */
  send(call: string, body?: object | string, headers: object = {}): Promise<Answer> {
    const { pace, client } = this.tools;
    return pace.turn(() => client.call(this.#callOf(call, body, headers)));
  }

  /** Makes a call whose answer is read as it comes. */
  follow(call: string, body?: object): Promise<Stream> {
    const { pace, client } = this.tools;
    return pace.turn(() => client.follow(this.#callOf(call, body)));
  }

  #callOf(call: string, body?: object | string, headers: object = {}): Call {
    const [method = '', path = ''] = call.split(' ', 2);
    const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const length = text === null ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const type = text === null ? {} : { 'content-type': 'application/json' };
    return { method, path, headers: { 'x-secretkey': this.key, ...type, ...length, ...headers }, body: text };
  }

  #judge(call: string, answer: Answer, want: Want): Members {
    const wrong = difference(call, answer, want);
    if (wrong === null) return membersOf(answer);
    this.report(`${call}: ${wrong}; got ${answer.status} ${answer.text.slice(0, TEXT_SHOWN_MAX)}`);
    throw new UnexpectedAnswer(wrong);
  }

  /** Asserts what must be true whatever the play. */
  require(isTrue: boolean, what: string): void {
    if (isTrue) return;
    this.report(what);
    throw new UnexpectedAnswer(what);
  }

  report(what: string): void {
    this.findings.add(`${this.key}: ${what}`);
  }
}

export function membersOf({ text }: Answer): Members {
  try {
    return JSON.parse(text) as Members;
  } catch {
    return {};
  }
}

/** The text at a path of an answer, such as `DefaultPaymentMethod.VaultId`. */
export function textAt(members: Members, path: string): string {
  let value: unknown = members;
  for (const name of path.split('.')) value = (value as Members | null | undefined)?.[name];
  return String(value);
}

function difference(call: string, answer: Answer, want: Want): string | null {
  const [method = '', target = ''] = call.split(' ', 2);
  const { status = successStatus(method, target), code, has, says } = want;
  if (answer.status !== status) return `wanted status ${status}`;
  const members = membersOf(answer);
  if (code !== undefined && members['Code'] !== code) return `wanted code ${code}`;
  if (has !== undefined && !holds(members, has)) return `wanted ${JSON.stringify(has)}`;
  if (says !== undefined && !answer.text.includes(says)) return `wanted the words ${says}`;
  return null;
}

function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([name, inner]) => holds((value as Members)[name], inner));
}
