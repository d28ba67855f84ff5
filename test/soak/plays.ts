import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import fc from 'fast-check';

import { type Body, requireSame, textIn, valueIn } from '../model/calls.js';
import { steps } from '../model/commands/index.js';
import { play, WORLDS } from '../model/run.js';
import { deriveWorldName } from '../../src/core/keys.js';
import { cardOf, STEADY } from '../support/bodies.js';
import { successStatus } from '../support/conformity.js';
import { CALLS, written } from '../support/service-calls.js';
import { SPELLINGS } from '../support/spellings.js';
import { type Client, Player } from './client.js';

/** What is played again and again. Each play throws at an answer that is not the right one. */
export type Play = (round: number) => Promise<void>;

/** One of a list after the other. */
const takeTurn = <T>(list: readonly T[], round: number): T => list[round % list.length] as T;

/** The most commands of one list of the model. */
const COMMANDS = 40;
const LOOK_MAX_MS = 10_000;

export const makeCharge = (more: object = {}): object => ({
  Amount: '1.00',
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

/** Random commands, judged by the model of the specification, in three worlds that begin anew each time. */
function playModel(client: Client, name: string, seed: number): Play {
  return async (round) => {
    for (let n = 0; n < WORLDS; n++) {
      const player = new Player(client, `sk_test_${name}_${n}`);
      await player.ask('DELETE /_sandbox/scenario');
      await player.ask('POST /_sandbox/reset', {});
    }
    const call = async (
      key: string,
      { method, path, body, headers = {} }: Parameters<Parameters<typeof play>[0]['call']>[1],
    ) => {
      const at = path.replace('/_sandbox/pay/', `$&${deriveWorldName(key)}/`);
      return client.call({ method, path: at, key, headers, ...(body && { body: JSON.stringify(body) }) });
    };
    const [list = []] = fc.sample(steps(WORLDS, COMMANDS), { seed: seed + round, numRuns: 1 });
    const log: string[] = [];
    await play({ name, call }, name, list, log).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${log.join('\n')}`);
    });
  };
}

const SDK = { 'x-sandbox-dialect': 'sdk' };
/** Nobody looks for this one in the names of the internet. */
const WITHHELD_ADDRESS = '[fd00:ec2::254]';

/** Every operation, in one spelling after the other: all answers are the same to the byte, each time. */
function playSpellings(client: Client, key: string): Play {
  let first: string[] | null = null;
  return async (round) => {
    await new Player(client, key).ask('POST /_sandbox/reset', {});
    const spellings = Object.values(SPELLINGS);
    const spelling = takeTurn(spellings, round);
    const kept = new Map<string, string>();
    const texts: string[] = [];
    for (const call of CALLS) {
      const { path, body } = written(call, spelling, kept);
      const sent = body?.replaceAll('example.com', WITHHELD_ADDRESS);
      const headers = { ...spelling.headers, ...call.headers, ...SDK };
      const answer = await client.call({
        method: call.method,
        path,
        key,
        headers,
        ...(sent && { body: sent }),
      });
      requireSame(`${call.method} ${path} ${answer.text}`, answer.status, successStatus(call.method, path));
      for (const [name, at] of Object.entries(call.keeps ?? {})) kept.set(name, textIn(answer.body, ...at));
      texts.push(answer.text);
    }
    first ??= texts;
    requireSame('The answers to all calls', texts, first);
  };
}

/** Faults by their header, with the status that the client sees, and how many charges there are then. */
const FAULTS: readonly (readonly [header: Readonly<Record<string, string>>, status: number, made: number])[] =
  [
    [{ 'x-sandbox-outcome': 'approve, delay=150ms' }, 201, 1],
    [{ 'x-sandbox-fault': 'reset' }, 0, 0],
    [{ 'x-sandbox-fault': 'empty; phase=after' }, 0, 1],
    [{ 'x-sandbox-fault': 'truncate; phase=after' }, 0, 1],
    [{ 'x-sandbox-fault': 'malformed' }, 200, 0],
  ];

const FRESH = '/_sandbox/snapshots/fresh';

const playFaults =
  (player: Player): Play =>
  async (round) => {
    const [header, status, made] = takeTurn(FAULTS, round);
    const Reference = `order-${round}`;
    if (round === 0) await player.ask(`PUT ${FRESH}`, {});
    // Unlike a reset, this keeps the journal, which fills.
    else if (round % 100 === 0) await player.ask(`POST ${FRESH}/restore`, {});
    await player.ask('POST /charge/card', makeCharge({ Reference }), status, header);
    requireSame('The charges', (await player.ask(`GET /charge?Reference=${Reference}`))['Count'], made);
  };

/** A receiver of webhooks that takes them, fails, or hangs up. */
async function openReceiver() {
  const receiver = { taken: 0, mood: 'well' as 'well' | 'failing' | 'mute', url: '', close: () => {} };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (receiver.mood === 'mute') return void response.destroy();
      if (receiver.mood === 'well') receiver.taken++;
      response.writeHead(receiver.mood === 'well' ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  receiver.close = () => server.close().closeAllConnections();
  return receiver;
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A webhook fails twice, and is taken once. */
const playWebhooks =
  (player: Player, receiver: Receiver): Play =>
  async (round) => {
    await player.ask('POST /_sandbox/reset', {});
    receiver.mood = round % 2 === 0 ? 'failing' : 'mute';
    receiver.taken = 0;
    await player.ask('POST /charge/card', makeCharge({ Webhook: { Url: receiver.url } }));
    await player.ask('POST /_sandbox/settle', {});
    await player.ask('POST /_sandbox/clock/advance', { By: '5s' });
    receiver.mood = 'well';
    await player.ask('POST /_sandbox/clock/advance', { By: '5m' });
    const { Deliveries } = await player.ask('GET /_sandbox/webhooks?Limit=1');
    const [last] = Deliveries as Body[];
    requireSame('The delivery', [last?.['Status'], last?.['Attempt'], receiver.taken], ['delivered', 3, 1]);
  };

/** A world in real time, whose webhooks still wait for their next attempt when it is reset. */
const playTimers =
  (player: Player): Play =>
  async () => {
    await player.ask('PUT /_sandbox/clock', { Mode: 'real' });
    for (let n = 0; n < 20; n++)
      await player.ask('POST /charge/card', makeCharge({ Webhook: { Url: 'http://127.0.0.1:9/' } }));
    await player.ask('POST /_sandbox/reset', {});
  };

/** Somebody looks on at a world, learns of a charge, and goes; then the world goes. */
const playGuest =
  (client: Client): Play =>
  async (round) => {
    const player = new Player(client, `sk_test_guest_${round}`);
    const stream = await client.open({ method: 'GET', path: '/_sandbox/live', key: player.key });
    const seen = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('Who looked on learned nothing of a charge')),
        LOOK_MAX_MS,
      );
      stream.on('data', (bytes: Buffer) => {
        if (!bytes.toString().includes('seen')) return;
        clearTimeout(timer);
        resolve();
      });
      stream.on('error', () => {});
    });
    await player.ask('POST /charge/card', makeCharge({ Reference: 'seen' }));
    await seen.finally(() => stream.destroy());
    const world = await player.ask('GET /_sandbox/world');
    requireSame('The charges', valueIn(world, 'Counts', 'Charges'), 1);
    await player.ask(`DELETE /_sandbox/worlds/${textIn(world, 'World')}`);
  };

const MODELS = 2;
/** The worlds that all plays together have. */
export const PLAYED_WORLDS = MODELS * WORLDS + 5;

/** All plays, and what ends what they opened. */
export async function openPlays(client: Client, seed: number): Promise<{ plays: Play[]; close: () => void }> {
  const receiver = await openReceiver();
  const player = (name: string): Player => new Player(client, `sk_test_${name}`);
  const models = Array.from({ length: MODELS }, (_, n) =>
    playModel(client, `model${n}`, seed + n * 1_000_000),
  );
  const plays = [
    ...models,
    playSpellings(client, 'sk_test_spelled'),
    playFaults(player('faults')),
    playWebhooks(player('webhooks'), receiver),
    playTimers(player('timers')),
    playGuest(client),
  ];
  return { plays, close: receiver.close };
}
