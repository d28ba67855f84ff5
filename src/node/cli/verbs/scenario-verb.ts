import * as z from 'zod';

import { readScenarioText } from '../../../scenarios/file/file.js';
import { scenarioFromTrace } from '../../record/scenario-from-trace.js';
import { readText } from '../../files/text-file.js';
import { formatProblems } from '../choose-scenario.js';
import { formatHints } from './check.js';
import { callServer, JOURNAL_BYTES_MAX, requirePlaymoney, WORK_MS } from '../../remote/call-server.js';
import { OptionError } from '../../options/option.js';
import { isScenarioFile } from '../../options/option-kinds.js';
import type { ClientOptions } from '../../options/option-table.js';
import type { ScenarioOptions } from '../../options/replay-options.js';
import {
  formatDocument,
  EXIT_FAILED,
  formatLines,
  type Output,
  type VerbResult,
} from '../../terminal/terminal.js';
import type { ScenarioTask } from '../verbs.js';
import { formatYaml } from '../../terminal/yaml-text.js';

const PATH = '/_sandbox/scenario';

/** Starts, prints or stops the scenario of a world, or creates a scenario from a trace. */
export async function runScenarioVerb(
  task: ScenarioTask,
  options: ScenarioOptions,
  output: Pick<Output, 'err'>,
): Promise<VerbResult> {
  if (task.act === 'from-trace') return scenarioFromTrace(task.what, options, output);
  if (options.out !== null) throw new OptionError(`scenario ${task.act} does not take --out`);
  if (task.act === 'use') return useScenario(task.what, options);
  return task.act === 'show' ? showScenario(options) : clearScenario(options);
}

/** Starts a scenario: the text of a file, which is checked first, or the name of one that the server has. */
async function useScenario(source: string, options: ClientOptions): Promise<VerbResult> {
  const text = isScenarioFile(source) ? await readText(source) : null;
  const read = text === null ? null : await readScenarioText(text, source);
  if (read !== null && 'problems' in read)
    return { text: formatLines(formatProblems(read.problems)), exitCode: EXIT_FAILED };
  // A large scenario may take long, so a quick call first detects a server that never answers.
  await requirePlaymoney(options);
  const { body, world } = await callServer(options, {
    method: 'PUT',
    path: PATH,
    body: text ?? { Name: source },
    schema: z.object({ Scenario: z.string() }),
    limitMs: WORK_MS,
  });
  const hints = read === null ? [] : formatHints(read.hints);
  return { text: formatLines([...hints, `${capitalised(world)} uses the scenario ${body.Scenario}.`]) };
}

/** Prints the current scenario as YAML, which `use` accepts. */
async function showScenario(options: ClientOptions): Promise<VerbResult> {
  const { body, world } = await callServer(options, {
    path: PATH,
    schema: z.object({ Definition: z.record(z.string(), z.unknown()).nullish() }),
    bytesMax: JOURNAL_BYTES_MAX,
  });
  const { Definition } = body;
  const head = `# ${capitalised(world)} uses ${Definition ? 'this' : 'no'} scenario.\n`;
  return { text: formatDocument(head + (Definition ? await formatYaml(Definition) : '')) };
}

/** Removes the current scenario, if there is one. */
async function clearScenario(options: ClientOptions): Promise<VerbResult> {
  const { world } = await callServer(options, {
    method: 'DELETE',
    path: PATH,
    schema: z.object({ Scenario: z.string().nullable() }),
  });
  return { text: formatLines([`${capitalised(world)} uses no scenario.`]) };
}

function capitalised(world: string): string {
  return `T${world.slice(1)}`;
}
