import { BY_TIME, type Order, play } from '../runtimes/plays.js';
import type { Fetch, Recorded } from '../support/trace.js';

export { PLAYS } from '../runtimes/plays.js';

export interface Place {
  readonly send: Fetch;
  readonly base: string;
  /** The address in links to pages of the sandbox. */
  readonly links: string;
  /** Called after each answer. */
  readonly afterEach?: () => Promise<unknown>;
}

/** Plays some of the plays at once, each in a world of its own; the answers of each in the order of its calls. */
export async function playAll(
  names: readonly string[],
  { send, base, links, afterEach }: Place,
): Promise<Record<string, Recorded[]>> {
  const order: Order = { ...BY_TIME, end: async () => void (await afterEach?.()) };
  const one = async (name: string): Promise<[string, Recorded[]]> => {
    const answers = await play(name, send, base, order);
    const shown = ({ text }: Recorded): string => text.replaceAll(`"${links}/`, '"http://localhost/');
    return [name, answers.map((answer) => ({ ...answer, text: shown(answer) }))];
  };
  return Object.fromEntries(await Promise.all(names.map(one)));
}
