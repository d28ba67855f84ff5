import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';

import { requireOptions } from '../client/sendable.js';
import { refuseUnknownNames } from '../core/given.js';
import { isObject, parseJson, escapeUnseen } from '../core/text/text.js';
import { parseDuration } from '../core/time/time.js';
import type { Duration, WebhookEvent, World } from '../index.js';
import { DEFAULT_HEADER_PREFIX } from '../webhooks/delivery.js';
import { TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import { formatOneLine } from './comparison.js';
import { lineAbout, refuseUnknownName } from './matchers.js';

/** A webhook that arrived. */
export interface ReceivedMessage {
  readonly event: WebhookEvent;
  readonly messageId: string;
  /** The record, as the webhook has it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The whole body, as it was sent. */
  readonly text: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path below the address of the receiver. */
  readonly path: string;
}

/** Receives the webhooks of a test on a port, which is closed at the end of the test. */
export interface Receiver {
  /** The address for a `Webhook.Url` or a subscription. Any path below it is received, too. */
  readonly url: string;
  /** The messages that arrived, oldest first. */
  readonly messages: readonly ReceivedMessage[];
  /** Messages whose signature is missing or wrong. They were answered with 401, and are not among the others. */
  readonly refused: readonly ReceivedMessage[];
  /**
   * The oldest message that no earlier call returned, of one event if it is named. Waits until it arrives; rejects after `timeout`,
   * by default 5 s of real time.
   *
   * @example
   * const { data } = await receiver.next('transaction.status.changed');
   */
  next(event?: WebhookEvent, options?: { readonly timeout?: Duration }): Promise<ReceivedMessage>;
  /** Answers all further messages with this status, from 200 to 599. Default: 204. */
  respond(status: number): void;
}

/** How messages are signed. */
export interface Signing {
  /** Null if messages are not signed, or if the key is not known: then signatures are not checked. */
  readonly secret: string | null;
  readonly headerPrefix?: string | undefined;
}

const DEFAULT_TIMEOUT = '5s';
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;
/** Below are answers that another one follows. */
const STATUS_MIN = 200;
const STATUS_MAX = 599;

/** A call of `next` whose message has not arrived. */
interface WaitingCall {
  readonly event: WebhookEvent | undefined;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (message: ReceivedMessage) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a receiver for the webhooks of a world, on a free port of 127.0.0.1. */
export async function openReceiver(world: World, signing: Signing): Promise<OpenReceiver> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return new OpenReceiver(world, signing, server);
}

export class OpenReceiver implements Receiver {
  readonly url: string;
  readonly messages: ReceivedMessage[] = [];
  readonly refused: ReceivedMessage[] = [];
  /** Messages that `next` has not returned. */
  #left: ReceivedMessage[] = [];
  #waiting: WaitingCall[] = [];
  #status = NO_CONTENT;

  constructor(
    private readonly world: World,
    private readonly signing: Signing,
    private readonly server: Server,
  ) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#receive(request, response));
    // Tests pass it on as functions.
    this.next = this.next.bind(this);
    this.respond = this.respond.bind(this);
  }

  async next(event?: WebhookEvent, options: { readonly timeout?: Duration } = {}): Promise<ReceivedMessage> {
    if (event !== undefined) refuseUnknownName('next: there is no event', event, TOPIC_OF_EVENT);
    const { timeout = DEFAULT_TIMEOUT } = requireOptions(options, 'The second argument');
    refuseUnknownNames('next', options, { timeout });
    const ms = parseDuration(timeout);
    if (ms === undefined)
      throw new TypeError(`next: timeout is ${timeout}; it must be a duration, such as 500ms or 5s.`);
    const message = this.#left.find((candidate) => isOfEvent(event, candidate));
    if (message !== undefined) {
      this.#left = this.#left.filter((other) => other !== message);
      return message;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        void this.#missing(event, timeout).then(reject);
      }, ms);
      const waiting = { event, timer, resolve, reject };
      this.#waiting.push(waiting);
    });
  }

  respond(status: number): void {
    if (!Number.isInteger(status) || status < STATUS_MIN || status > STATUS_MAX)
      throw new TypeError(
        `respond: the status must be a whole number from ${STATUS_MIN} to ${STATUS_MAX}, not ${formatOneLine(status)}.`,
      );
    this.#status = status;
  }

  /** Closes the port, and rejects all waiting calls of `next`. */
  async close(): Promise<void> {
    for (const { event, timer, reject } of this.#waiting) {
      clearTimeout(timer);
      reject(
        new Error(`The test ended while it waited for ${event ?? 'a message'}. Await each call of next.`),
      );
    }
    this.#waiting = [];
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request).catch(() => null);
    // The sender has given up.
    if (text === null) return;
    const message = readMessage(request, text);
    const isTrusted = message !== null && this.#isTrusted(message);
    response.writeHead(isTrusted ? this.#status : UNAUTHORIZED).end();
    if (message === null) return;
    if (!isTrusted) return void this.refused.push(message);
    this.messages.push(message);
    const waiting = this.#waiting.find(({ event }) => isOfEvent(event, message));
    if (waiting === undefined) return void this.#left.push(message);
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    clearTimeout(waiting.timer);
    waiting.resolve(message);
  }

  #isTrusted({ headers, text }: ReceivedMessage): boolean {
    const { secret, headerPrefix = DEFAULT_HEADER_PREFIX } = this.signing;
    if (secret === null) return true;
    const signature = headers[`${headerPrefix.toLowerCase()}signature`];
    return signature === createHmac('sha256', secret).update(text).digest('base64');
  }

  /** Why a wait ended without its message. */
  async #missing(event: WebhookEvent | undefined, timeout: string): Promise<Error> {
    const sent = await this.world.deliveries.list().catch(() => []);
    const lines = [
      `No message${event === undefined ? '' : ` of ${event}`} arrived within ${timeout}.`,
      `  Arrived: ${this.messages.map((arrived) => escapeUnseen(arrived.event)).join(', ') || 'none'}.${this.refused.length > 0 ? ` Refused, because their signature is missing or wrong: ${this.refused.length}.` : ''}`,
      ...(sent.length === 0
        ? ['  This world has no webhooks.']
        : sent.map((delivery) => `  ${lineAbout(delivery)}`)),
    ];
    return new Error(lines.join('\n'));
  }
}

function isOfEvent(event: WebhookEvent | undefined, message: ReceivedMessage): boolean {
  return event === undefined || message.event === event;
}

/** A request as a message; null if its body is not that of a webhook. */
function readMessage({ headers, url = '/' }: IncomingMessage, text: string): ReceivedMessage | null {
  const body = parseJson(text);
  const { meta, data } = isObject(body) ? body : {};
  if (!isObject(meta) || !isObject(data)) return null;
  return {
    event: meta['eventType'] as WebhookEvent,
    messageId: String(meta['messageId']),
    data,
    text,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    path: url,
  };
}
