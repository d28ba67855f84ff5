import { expect } from 'vitest';

import { Chance } from '../../src/core/ids/chance.js';
import { readScenarioText } from '../../src/scenarios/file/file.js';
import type { CallFacts, Scenario, ScriptDecision } from '../../src/scenarios/script/model.js';
import { Script } from '../../src/scenarios/script/script.js';

/** A charge of 20 AUD by a card, unless told otherwise. */
export function call(more: Partial<CallFacts> = {}): CallFacts {
  return {
    operation: 'charge.create',
    now: 0,
    providerId: '00000000000000000000000000000001',
    cardNumber: '4111111111111111',
    amount: '20',
    currency: 'AUD',
    reference: 'order-7',
    customerId: null,
    paymentMethodId: null,
    header: () => undefined,
    ...more,
  };
}

/** In the text of a broken file it stands in front of what is wrong, and is no part of the file. */
const MARK = '¦';

/** A broken file: what is said of it, and its text, in which ¦ marks the place. */
export type BrokenFile = readonly [message: string, text: string];

/** The broken files of a table, a line each, such as `nth: ¦0 → nth must be a whole number`: a function makes the file of the text. */
export const brokenFiles =
  (toFile: (text: string) => string) =>
  (...template: Parameters<typeof String.raw>): BrokenFile[] => {
    const lines = String.raw(...template).trim();
    return lines.split('\n').map((line) => {
      const [text = '', message = 'the row has no arrow'] = line.trim().split(' → ');
      return [message, toFile(text.replaceAll(String.raw`\n`, '\n').replace(String.raw`\t`, '\t'))];
    });
  };

/** Asserts that this alone is wrong with a file, that it is shown where it stands, and how. */
export async function expectShown(marked: string, message: string): Promise<void> {
  const above = marked.slice(0, marked.indexOf(MARK)).split('\n');
  const read = await readScenarioText(marked.replace(MARK, ''), 'bad.yaml');
  expect(read).toEqual({
    problems: [
      {
        file: 'bad.yaml',
        line: above.length,
        column: (above.at(-1)?.length ?? 0) + 1,
        message: expect.stringContaining(message) as unknown,
      },
    ],
  });
}

/** A scenario from its text; a test that brings a broken one fails with what is wrong. */
export async function scenarioOf(text: string): Promise<Scenario> {
  const read = await readScenarioText(text, 'test.yaml');
  if ('scenario' in read) return read.scenario;
  throw new Error(
    read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'),
  );
}

export interface Play {
  readonly script: Script;
  decide(more?: Partial<CallFacts>): ScriptDecision | null;
  /** What the script said of so many equal calls: names of outcomes and kinds of faults, or a dash. */
  say(count: number, more?: Partial<CallFacts>): string;
}

/** A script with a scenario of these rules, written in YAML. */
export async function play(rules: string, seed = '1'): Promise<Play> {
  const script = new Script();
  script.startScenario(await scenarioOf(`name: test\nrules:\n${rules}`));
  return playOf(script, new Chance(seed, 'sk_test_local'));
}

export function playOf(script: Script, chance: Chance): Play {
  const decide = (more?: Partial<CallFacts>): ScriptDecision | null => script.decide(call(more), chance);
  const say = (count: number, more?: Partial<CallFacts>): string =>
    Array.from({ length: count }, () => shortly(decide(more))).join(' ');
  return { script, decide, say };
}

function shortly(verdict: ScriptDecision | null): string {
  return verdict?.outcome?.name ?? verdict?.fault?.kind ?? '-';
}
