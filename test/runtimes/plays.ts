import { STORIES } from '../scenarios/stories.js';
import { cardOf, STEADY } from '../support/bodies.js';
import { playTrace, record, type Call, type Fetch, type Recorded } from '../support/trace.js';

/** What every runtime plays. A play needs only a way to send requests, so it can be against a server or in process. */

/** The names of all plays: the long trace, then the story of each scenario of the library. */
export const PLAYS: readonly string[] = ['trace', ...Object.keys(STORIES)];

/** Not among {@link PLAYS}: what a client does when a connection that it kept ends without an answer. */
export const LOST_CHARGE = 'lost charge';

/** Shorter than the delays of the stories that make two calls at once. */
const APART_MS = 1000;

/** Which of two calls at once comes first: over sockets, they may arrive in either order. */
export interface Order {
  /** Resolves when the next call may start; `underWay` calls have started and have not ended. */
  begin(underWay: number): Promise<void>;
  /** After the answer of a call; the play goes on when it resolves. */
  end(underWay: number): Promise<void> | void;
}

export const BY_TIME: Order = {
  begin: async (underWay) => {
    if (underWay > 0) await new Promise((resolve) => setTimeout(resolve, APART_MS));
  },
  end: () => {},
};

/** A key that is long enough for a server that strangers can reach. */
export const keyOf = (name: string): string =>
  `sk_test_${name.replaceAll(' ', '-').padEnd(40, '-0123456789')}`;

/** Plays one of {@link PLAYS} in a world of its own; returns its answers in the order of the calls. */
export async function play(
  name: string,
  send: Fetch,
  base: string,
  order = BY_TIME,
  key = keyOf(name),
): Promise<Recorded[]> {
  const answers: Recorded[] = [];
  let underWay = 0;
  const call = async (sent: Call): Promise<Recorded> => {
    const place = answers.length++;
    await order.begin(underWay++);
    const answer = await record(send, base, key, sent);
    answers[place] = answer;
    await order.end(--underWay);
    return answer;
  };
  await call({ method: 'POST', path: '/_sandbox/reset', body: worldOf(name) });
  const story = STORIES[name];
  if (name === 'trace') await playTrace(call);
  else if (name === LOST_CHARGE) await playLostCharge(call);
  else
    await story?.(async (request, body) => {
      const [method, path] = request.split(' ') as [Call['method'], string];
      return membersOf(await call({ method, path, body }));
    });
  return answers;
}

/** The same world everywhere. Its webhooks are withheld, because the receivers of the stories do not exist. */
function worldOf(name: string): object {
  const Scenario = name in STORIES ? { Scenario: name } : {};
  return { Seed: '42', Name: name, Clock: { Mode: 'Manual' }, Settings: { Webhooks: 'off' }, ...Scenario };
}

/** The fields of an answer; none of one that is no JSON. */
function membersOf({ text }: Recorded): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** One charge on a connection that was used before, whose answer is lost; then a search for it. */
async function playLostCharge(call: (sent: Call) => Promise<Recorded>): Promise<void> {
  const Outcomes = [{ Fault: 'empty', Phase: 'after' }];
  await call({
    method: 'POST',
    path: '/_sandbox/outcomes',
    body: { Operation: 'charge.create', Outcomes },
  });
  const body = { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: cardOf() };
  await call({ method: 'POST', path: '/charge/card', body });
  await call({ method: 'GET', path: '/charge?Reference=order-1' });
}
