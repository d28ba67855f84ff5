import type { Post, Posted } from '../../src/core/post.js';
import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import {
  type Answer,
  type Client,
  client,
  type TestHost,
  testHost,
  testSandbox,
  type TestSandbox,
} from '../support/sandbox.js';
import { batchOf, storing, textIn } from '../support/stored.js';

export const HOOK = 'http://127.0.0.1:9999/hook';
/** As the service's dashboard shows one: the Base64 of 32 bytes, which is used as it is. */
export const SECRET = 'nJ1n0R8hWb6M5yZyqg0Dk3P2a7tXv4sLxQeUoC9iKfE=';
export const LOG = '/_sandbox/webhooks';

/** What a receiver got. */
export interface Message {
  readonly meta: {
    readonly messageId: string;
    readonly timestamp: string;
    readonly type: string;
    readonly eventType: string;
  };
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Got extends Post {
  /** The world's instant at which it came, in milliseconds after the beginning. */
  readonly message: Message;
}

/** A receiver within the process: what it got, and what it answers. */
export interface Receiver {
  readonly got: Got[];
  /** Answers with a status, or does as it likes. */
  answer: (post: Post) => Posted | Promise<Posted>;
}

export interface Setup {
  readonly sandbox: TestSandbox;
  readonly host: TestHost;
  readonly api: Client;
  readonly receiver: Receiver;
}

/** A sandbox whose webhooks come to a receiver of the test. */
export function setup(options: InnerSandboxOptions = {}): Setup {
  const receiver: Receiver = { got: [], answer: () => ({ status: 204 }) };
  const deliver = async (post: Post): Promise<Posted> => {
    receiver.got.push({ ...post, message: JSON.parse(post.body) as Message });
    return receiver.answer(post);
  };
  const host = testHost();
  const sandbox = testSandbox({ deliver, ...options }, host);
  return { sandbox, host, api: client(sandbox), receiver };
}

export const charge = (more: object = {}): object =>
  storing({ Amount: 15.5, Webhook: { Url: HOOK }, ...more });

/** Fires the timer of so many milliseconds as soon as it is set. */
export async function fire({ timers, pause }: TestHost, ms: number): Promise<void> {
  while (!timers.some((timer) => timer.ms === ms && !timer.cancelled)) await pause();
  timers.findLast((timer) => timer.ms === ms)?.fire();
}

/** Lets what is under way go on for some turns of the event loop. */
export async function turns(host: TestHost, count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await host.pause();
}

export const settle = (api: Client): Promise<Answer> => api.post('/_sandbox/settle');

/** What the log says of each delivery, the newest first. */
export async function logOf(api: Client, query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await api.get(`${LOG}${query}`);
  return body['Deliveries'] as readonly Readonly<Record<string, unknown>>[];
}

/** A record as receivers are sent it, made from its answer in the documented dialect. */
export function sent(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(sent);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
      value === null
        ? []
        : [[name.charAt(0).toLowerCase() + name.slice(1), name === 'Metadata' ? value : sent(value)]],
    ),
  );
}

/** The events that a receiver got, with the status that each told of. */
export function events(receiver: Receiver): string[] {
  return receiver.got.map(({ message: { meta, data } }) =>
    `${meta.eventType} ${typeof data['status'] === 'string' ? data['status'] : ''}`.trim(),
  );
}

/** Stores a card, and sends a batch that charges it so many times. */
export async function sendBatch(api: Client, count: number, more: object = {}): Promise<Answer> {
  const method = await api.post('/payment_method/card', storing());
  const rows = Array.from({ length: count }, (_, n) => `${textIn(method, 'PaymentMethodId')},5,AUD,r${n}`);
  return api.post('/batch/transaction/payment_method', batchOf(rows, { Webhook: { Url: HOOK }, ...more }));
}

/** Subscribes the receiver to topics. */
export const subscribe = (api: Client, ...Types: string[]): Promise<Answer> =>
  api.post('/webhook/subscription', { Types, Url: HOOK, Authorization: 'Bearer s' });
