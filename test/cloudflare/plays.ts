import { setTimeout as sleep } from 'node:timers/promises';

import { STORIES } from '../scenarios/stories.js';
import { playTrace, record, type Call, type Fetch, type Recorded } from '../support/trace.js';

/** The names of all plays: the long trace, then the story of each scenario of the library. */
export const PLAYS: readonly string[] = ['trace', ...Object.keys(STORIES)];

/** A key that is long enough for a server that strangers can reach. */
export const keyOf = (name: string): string =>
  `sk_test_${name.replaceAll(' ', '-').padEnd(40, '-0123456789')}`;

/** Plays one of {@link PLAYS} in the world of a key, and returns its answers in the order of the calls. `between` runs when no call is under way. */
export async function play(
  name: string,
  key: string,
  send: Fetch,
  base: string,
  between: () => Promise<void> = async () => {},
): Promise<Recorded[]> {
  const answers: Recorded[] = [];
  let underWay = 0;
  let arrived: Promise<unknown> = Promise.resolve();
  const one = async (call: Call): Promise<Recorded> => {
    const place = answers.length++;
    underWay++;
    // Calls at the same time arrive in order.
    const answering = arrived.then(() => record(send, base, key, call));
    arrived = arrived.then(() => Promise.race([answering, sleep(ARRIVAL_MS)]));
    const answer = (answers[place] = await answering);
    if (--underWay === 0) await between();
    return answer;
  };
  const Scenario = name in STORIES ? { Scenario: name } : {};
  // The receivers of the stories do not exist.
  const body = { Seed: '42', Clock: { Mode: 'Manual' }, Settings: { Webhooks: 'off' }, ...Scenario };
  await one({ method: 'POST', path: '/_sandbox/reset', body });
  const story = STORIES[name];
  if (story === undefined) await playTrace(one);
  else
    await story(async (request, sentBody) => {
      const [method, path] = request.split(' ') as [Call['method'], string];
      return membersOf(await one({ method, path, body: sentBody }));
    });
  return answers;
}

/** How long a call may take to arrive before the next one. */
const ARRIVAL_MS = 1_000;

function membersOf({ text }: Recorded): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
