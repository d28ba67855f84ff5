import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Answer, type Body, requireSame } from '../model/calls.js';
import { successStatus } from '../support/conformity.js';

/** Whoever is behind by more than this does not catch up: the rate is what is asked for, and never more for long. */
const BEHIND_MAX_MS = 10_000;
const SOCKETS_MAX = 1_000;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer and its text; status 0: the connection ended without one, or in its midst. */
export type Received = Answer & { readonly text: string; readonly retryAfter: unknown };

/** Calls the program at a fixed rate over connections that it keeps open, and stops for a moment where that is asked. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  #gapMs = 0;
  #next = performance.now();
  #underWay = 0;
  #pause: Promise<unknown> | null = null;
  calls = 0;

  constructor(readonly port: number) {}

  /** From now on so many calls are made a second. */
  keep(rate: number): void {
    this.#gapMs = 1000 / rate;
    this.#next = performance.now();
  }

  /** Does something while nothing is under way and no connection is open. */
  async quiet<T>(act: () => Promise<T>): Promise<T> {
    let end = (): void => {};
    this.#pause = new Promise<void>((resolve) => (end = resolve));
    try {
      while (this.#underWay > 0) await sleep(1);
      this.#agent.destroy();
      this.#agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
      return await act();
    } finally {
      this.#pause = null;
      this.#next = performance.now();
      end();
    }
  }

  /** Makes a call in its turn. */
  async call(sent: Sent): Promise<Received> {
    const now = performance.now();
    this.#next = Math.max(this.#next, now - BEHIND_MAX_MS) + this.#gapMs;
    if (this.#next - now > 1) await sleep(this.#next - now);
    while (this.#pause !== null) await this.#pause;
    this.#underWay++;
    try {
      return await this.callNow(sent);
    } finally {
      this.#underWay--;
    }
  }

  /** Makes a call while all others are still. */
  async callNow(sent: Sent): Promise<Received> {
    this.calls++;
    try {
      const response = await this.open(sent, this.#agent);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const { statusCode: status = 0, headers } = response;
      return { status, text, body: parse(text), retryAfter: headers['retry-after'] };
    } catch {
      return { status: 0, text: '', body: {}, retryAfter: undefined };
    }
  }

  /** Makes a call, and gives its answer as it comes. */
  open({ method, path, key, body, headers }: Sent, agent?: Agent): Promise<IncomingMessage> {
    const type =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const all = { 'x-secretkey': key, ...type, ...headers };
    return new Promise((resolve, reject) => {
      const options = {
        port: this.port,
        host: '127.0.0.1',
        agent: agent ?? false,
        method,
        path,
        headers: all,
      };
      const sent = request(options, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

/** Calls one world; throws unless the answer has the status that is wanted, or that of a success. */
export class Player {
  constructor(
    readonly client: Client,
    readonly key: string,
  ) {}

  async ask(
    line: string,
    body?: object,
    wanted?: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Body> {
    const [method = '', path = ''] = line.split(' ');
    const sent = { method, path, key: this.key, headers };
    const answer = await this.client.call({ ...sent, ...(body && { body: JSON.stringify(body) }) });
    requireSame(
      `The status of ${line} (${answer.text.slice(0, 400)})`,
      answer.status,
      wanted ?? successStatus(method, path),
    );
    return answer.body;
  }
}
