import fc from 'fast-check';
import { expect, test } from 'vitest';

import { testHost, testSandbox } from '../support/sandbox.js';
import type { Body, Call } from './calls.js';
import { callOf, prepare, type Prize, races } from './race-calls.js';

const { MODEL_RUNS, MODEL_SEED, MODEL_PATH } = process.env;
const RUNS = Number(MODEL_RUNS ?? 12);
const KEY = 'sk_test_race';
const PIECES = 3;

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface World {
  readonly prize: Prize;
  /** Sends a call; its body in pieces that come when `arrive` says so. */
  send(call: Call, arrive?: () => Promise<unknown>): Promise<Answer>;
  /** The world as a document, but for the identifiers of answers. */
  document(): Promise<string>;
}

/** Where nothing waits: then calls come one after the other. */
const AT_ONCE = (): Promise<void> => Promise.resolve();

/** A world with the prizes in it. What takes time in it takes as long as `wait` says, once all is prepared. */
async function world(wait: () => Promise<unknown> = AT_ONCE): Promise<World> {
  const host = testHost();
  let isReady = false;
  const waiting = async (): Promise<void> => {
    if (isReady) await wait();
  };
  const sandbox = testSandbox({ clock: { mode: 'manual' } }, { ...host, sleep: waiting, pause: waiting });
  const send: World['send'] = async (call, arrive) => {
    const response = await sandbox.fetch(requestOf(call, arrive));
    return { status: response.status, text: await response.text() };
  };
  const ask = async (call: Call): Promise<Body> => JSON.parse((await send(call)).text) as Body;
  const prize = await prepare(ask);
  isReady = true;
  return { prize, send, document: () => documentOf(ask) };
}

async function documentOf(ask: (call: Call) => Promise<Body>): Promise<string> {
  const { Chance, ...rest } = (await ask({ method: 'GET', path: '/_sandbox/state' })) as { Chance: Body };
  const counts = Chance['Counts'] as { Name: string }[];
  return JSON.stringify([rest, counts.filter(({ Name }) => Name !== 'requests' && Name !== 'controls')]);
}

function requestOf({ method, path, body, headers = {} }: Call, arrive?: () => Promise<unknown>): Request {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    headers: { 'x-secretkey': KEY, ...type, ...headers },
  };
  if (body !== undefined) {
    init.body = arrive === undefined ? JSON.stringify(body) : inPieces(JSON.stringify(body), arrive);
    init.duplex = 'half';
  }
  return new Request(`http://localhost${path}`, init);
}

function inPieces(text: string, arrive: () => Promise<unknown>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / PIECES);
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await arrive();
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      if (sent >= bytes.length) controller.close();
    },
  });
}

/** What calls that meet are answered, in which order they were, and what they leave behind. */
async function meet(list: readonly number[], scheduler: fc.Scheduler) {
  const turn = () => scheduler.schedule(Promise.resolve());
  const { prize, send, document } = await world(turn);
  const order: number[] = [];
  const answers = Promise.all(
    list.map(async (n, place) => {
      await turn();
      const answer = await send(callOf(n, prize), turn);
      order.push(place);
      return answer;
    }),
  );
  const settled = await scheduler.waitFor(answers);
  return { answers: settled, order, left: await scheduler.waitFor(document()) };
}

/** Whether some order of the calls, one after the other, gives the same answers and leaves the same behind. */
async function isSomeOrder(list: readonly number[], met: Awaited<ReturnType<typeof meet>>): Promise<boolean> {
  const { prize, send, document } = await world();
  const snapshot = (depth: number): string => `/_sandbox/snapshots/d${depth}`;
  const save = (depth: number) => send({ method: 'PUT', path: snapshot(depth) });
  const from = async (depth: number, places: readonly number[]): Promise<boolean> => {
    if (places.length === 0) return (await document()) === met.left;
    for (const place of places) {
      await send({ method: 'POST', path: `${snapshot(depth)}/restore` });
      const answer = await send(callOf(list[place] ?? 0, prize));
      if (answer.status !== met.answers[place]?.status || answer.text !== met.answers[place]?.text) continue;
      await save(depth + 1);
      if (
        await from(
          depth + 1,
          places.filter((other) => other !== place),
        )
      )
        return true;
    }
    return false;
  };
  await save(0);
  return from(0, met.order);
}

test(
  'calls that meet end as if one had come after the other',
  async () => {
    const property = fc.asyncProperty(races(), fc.scheduler(), async (list, scheduler) => {
      const met = await meet(list, scheduler);
      if (await isSomeOrder(list, met)) return;
      const { prize } = await world();
      const said = list.map((n, place) => {
        const { method, path, body } = callOf(n, prize);
        const { status, text } = met.answers[place] ?? { status: 0, text: '' };
        return `${method} ${path} ${JSON.stringify(body ?? null)} → ${status} ${text.slice(0, 300)}`;
      });
      throw new Error(`No order of these calls gives their answers:\n${said.join('\n')}`);
    });
    const seed = Number(MODEL_SEED ?? 20_260_101);
    await expect(
      fc.assert(property, { numRuns: RUNS, seed, ...(MODEL_PATH === undefined ? {} : { path: MODEL_PATH }) }),
    ).resolves.toBeUndefined();
  },
  20_000 + RUNS * 1000,
);
