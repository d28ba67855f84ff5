import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer } from '../client.js';
import { membersOf, type Player } from '../player.js';
import { cardCharge } from '../plays/bodies.js';

const EXCESS = 200;
/** The charges that fill the server wait so long for their answers. */
const HELD = { 'x-sandbox-outcome': 'approve, delay=4s' };
const ARRIVED_MS = 700;
const FULL_WITHIN_MS = 2_000;

/**
 * Fills the program with requests, and sends more: each of these is told to come later, none of the others is lost.
 */
export async function crowdOfMany(player: Player, requestsMax: number): Promise<void> {
  const before = await countOf(player);
  const held = Array.from({ length: requestsMax }, () =>
    player.send('POST /charge/card', cardCharge(100), HELD),
  );
  await waitUntilFull(player);
  const refused = await Promise.all(
    Array.from({ length: EXCESS }, () => player.send('POST /charge/card', cardCharge(100))),
  );
  const health = await player.send('GET /_sandbox/health');
  const odd = refused.filter((answer) => !isRefusal(answer));
  if (odd.length > 0)
    player.report(
      `${odd.length} of ${EXCESS} calls too many were not refused: ${odd[0]?.status} ${odd[0]?.text}`,
    );
  if (health.status !== 200) player.report(`health of a full server was answered ${health.status}`);
  const failed = (await Promise.all(held)).filter(({ status }) => status !== 201);
  if (failed.length > 0)
    player.report(`${failed.length} calls of a full server were answered ${failed[0]?.status}`);
  const made = (await countOf(player)) - before;
  if (made !== requestsMax) player.report(`a full server made ${made} charges of ${requestsMax}`);
}

async function waitUntilFull(player: Player): Promise<void> {
  // A look among those that come would take the place of one of them.
  await sleep(ARRIVED_MS);
  const until = performance.now() + FULL_WITHIN_MS;
  while ((await player.send('GET /charge?Limit=1')).status !== 503) {
    if (performance.now() > until)
      return player.report(`the server was not full within ${FULL_WITHIN_MS} ms`);
    await sleep(20);
  }
}

function isRefusal(answer: Answer): boolean {
  return answer.status === 503 && answer.headers['retry-after'] === '1' && membersOf(answer)['Code'] === 37;
}

async function countOf(player: Player): Promise<number> {
  return Number((await player.ask('GET /charge?Limit=1'))['Count']);
}
