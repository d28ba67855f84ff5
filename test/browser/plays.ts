import { STORIES } from '../scenarios/stories.js';
import { type Call, type Fetch, playTrace, record, type Recorded } from '../support/trace.js';

/** What a page plays: the long trace, then the story of each scenario of the library. */
export const PLAYS: readonly string[] = ['trace', ...Object.keys(STORIES)];

/** Shorter than the delays of the stories that make two calls at once. */
const APART_MS = 1_000;

export interface Place {
  readonly send: Fetch;
  readonly base: string;
  /** The address in links to pages of the sandbox. */
  readonly links: string;
  /** Called after each answer. */
  readonly afterEach?: () => Promise<unknown>;
}

/** Plays some of {@link PLAYS} at once, each in a world of its own; the answers of each in the order of its calls. */
export async function playAll(names: readonly string[], place: Place): Promise<Record<string, Recorded[]>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await play(name, place)])));
}

async function play(name: string, { send, base, links, afterEach }: Place): Promise<Recorded[]> {
  const answers: Recorded[] = [];
  let underWay = 0;
  const call = async (sent: Call): Promise<Recorded> => {
    const place = answers.length++;
    if (underWay++ > 0) await new Promise((resolve) => setTimeout(resolve, APART_MS));
    const answer = await record(send, base, `sk_test_${name}`, sent);
    underWay--;
    answers[place] = { ...answer, text: answer.text.replaceAll(`"${links}/`, '"http://localhost/') };
    await afterEach?.();
    return answer;
  };
  const scenario = name in STORIES ? { Scenario: name } : {};
  // The receivers of the stories do not exist.
  const settings = { Clock: { Mode: 'Manual' }, Settings: { Webhooks: 'off' } };
  await call({
    method: 'POST',
    path: '/_sandbox/reset',
    body: { Seed: '42', Name: name, ...settings, ...scenario },
  });
  if (name === 'trace') await playTrace(call);
  await STORIES[name]?.(async (request, body) => {
    const [method, path] = request.split(' ') as [Call['method'], string];
    const { text } = await call({ method, path, body });
    return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  });
  return answers;
}
