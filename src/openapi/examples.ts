import { DEFAULT_KEY, deriveWorldName } from '../core/keys.js';
import type { Host } from '../core/host.js';
import { createInnerSandbox } from '../app/sandbox.js';
import { OPERATION_ROWS } from '../app/sections.js';
import type { PlayAnswer, PlayCall, PlayInput } from './call.js';
import { playControl } from './control-play.js';
import { playService } from './service-play.js';

export interface Example {
  readonly request: unknown;
  readonly answer: unknown;
  /** Whether lists in the answer were shortened. */
  readonly shortened: boolean;
}

const ORIGIN = 'http://127.0.0.1:4010';
const START = 1_767_225_600_000;

export class Examples {
  readonly #examples = new Map<string, Example>();
  readonly refusals: unknown[] = [];

  findExample(operation: string): Example | undefined {
    return this.#examples.get(operation);
  }

  addExample(operation: string, status: number, example: Example): void {
    if (status >= 400) this.refusals.push(example.answer);
    else if (!this.#examples.has(operation)) this.#examples.set(operation, example);
  }
}

/** Calls every operation of a new sandbox, whose time stands still, and collects the answers. */
export async function playExamples(): Promise<Examples> {
  const sandbox = createInnerSandbox(makeStillHost(), { clock: { mode: 'manual' } });
  const examples = new Examples();
  const call: PlayCall = async (operation, sent = {}) => {
    const response = await sandbox.fetch(buildRequest(operation, sent));
    const answer: unknown = await response.json();
    const kept = sent.keep === undefined ? answer : cutLists(answer, sent.keep);
    const shortened = JSON.stringify(kept) !== JSON.stringify(answer);
    examples.addExample(operation, response.status, { request: sent.body, answer: kept, shortened });
    return answer as PlayAnswer;
  };
  await playService(call);
  await playControl(call);
  sandbox.close();
  return examples;
}

function buildRequest(operation: string, { id = '', query = '', body, headers = {} }: PlayInput): Request {
  const row = OPERATION_ROWS.find((candidate) => candidate.id === operation);
  if (row === undefined) throw new Error(`Failed to play ${operation}: the route table has no such row.`);
  const path = row.path.replace('{world}', deriveWorldName(DEFAULT_KEY)).replace(/\{\w+\}/, id);
  return new Request(ORIGIN + path + query, {
    method: row.method.toUpperCase(),
    headers: {
      'x-secretkey': DEFAULT_KEY,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function cutLists(value: unknown, keep: number): unknown {
  if (Array.isArray(value)) return value.slice(0, keep).map((item) => cutLists(item, keep));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutLists(inner, keep)]));
}

/** A host on which no time passes and all webhooks are delivered. What waits with a signal waits for it. */
function makeStillHost(): Host {
  return {
    runtime: 'v20.19.0',
    now: () => START,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        if (signal === undefined) resolve();
        else signal.addEventListener('abort', () => resolve());
      }),
    pause: () => Promise.resolve(),
    timer: () => () => {},
    deliver: () => Promise.resolve({ status: 204 }),
  };
}
