import { basename } from 'node:path';

import { DEFAULT_KEY } from '../../core/keys.js';
import { formatCount } from '../../core/text/text.js';
import { createInnerSandbox, type InnerSandbox } from '../../app/sandbox.js';
import { partLeftBy } from '../../scenarios/file/fault.js';
import type { Operation, Scenario } from '../../scenarios/script/model.js';
import { RULES_MAX } from '../../scenarios/file/rules.js';
import { parseScenario } from '../../scenarios/file/schema.js';
import type { ScenarioOptions } from '../options/replay-options.js';
import { readScenarioText } from '../../scenarios/file/file.js';
import {
  formatDocument,
  EXIT_FAILED,
  formatLines,
  type Output,
  type VerbResult,
} from '../terminal/terminal.js';
import { formatYaml } from '../terminal/yaml-text.js';
import { NODE_HOST } from '../machine/host.js';
import { prepareCall } from '../../control/opening/prepare-call.js';
import { IdentifierMap } from '../../control/opening/identifier-map.js';
import { readTraceFile } from '../replay/recordings.js';
import type { TraceEntry } from '../../control/opening/recorded-call.js';
import { FileError } from '../files/file-error.js';
import { writeNew } from '../files/whole-file.js';
import { CallsByReason } from './losses.js';

const ORIGIN = 'http://localhost';
const REFUSED = 'a sandbox refuses them before its rules apply, or the trace has only a part of them';

/** A call that a rule can answer, and the rule's `then`. */
interface AnswerableCall {
  readonly call: number;
  readonly operation: Operation;
  readonly effect: object;
}

/**
 * Writes a scenario that repeats the answers of a trace, those of each operation in the order of the recording. Warns about
 * calls that no rule can answer. Rejects with a CommandError.
 */
export async function scenarioFromTrace(
  file: string,
  { out }: Pick<ScenarioOptions, 'out'>,
  { err }: Pick<Output, 'err'>,
): Promise<VerbResult> {
  const { entries } = await readTraceFile(file);
  const found = await findAnswerable(entries);
  const rules = buildTraceRules(found);
  const text = await formatScenario(file, entries, rules.slice(0, RULES_MAX));
  err(formatLines(describeUnanswered(entries, found).map((line) => `No rule can answer ${line}.`)));
  if (rules.length > RULES_MAX) {
    const left = formatCount(rules.length - RULES_MAX, 'rule');
    err(formatLines([`A scenario has at most ${RULES_MAX} rules: left out the last ${left}.`]));
  }
  const exitCode = found.length === 0 ? EXIT_FAILED : 0;
  if (out === null) return { text: formatDocument(text), exitCode };
  await writeNew(out, 'scenario', (write) => write(text));
  return {
    text: formatLines([`${out}: ${formatCount(Math.min(rules.length, RULES_MAX), 'rule')}`]),
    exitCode,
  };
}

/** A line for each reason why calls have no rule. */
function describeUnanswered(
  entries: readonly TraceEntry[],
  found: readonly AnswerableCall[],
): readonly string[] {
  const covered = new Set(found.map(({ call }) => call));
  const reasons = new CallsByReason();
  for (const [n, entry] of entries.entries()) {
    if (covered.has(n + 1)) continue;
    if ((entry.lost ?? entry.requestLost) !== null) reasons.addLost(n + 1, entry);
    else reasons.add(n + 1, REFUSED);
  }
  return reasons.lines;
}

/** Sends the calls to a sandbox whose only rule answers everything. A rule can answer the calls that reach it. */
async function findAnswerable(entries: readonly TraceEntry[]): Promise<readonly AnswerableCall[]> {
  const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' }, scenario: buildAnswerAll() });
  try {
    const found: AnswerableCall[] = [];
    for (const [n, entry] of entries.entries()) {
      const operation = entry.lost === null ? await findOperation(sandbox, entry) : null;
      if (operation !== null) found.push({ call: n + 1, operation, effect: buildEffect(entry) });
    }
    return found;
  } finally {
    sandbox.close();
  }
}

function buildAnswerAll(): Scenario {
  // oxlint-disable-next-line unicorn/no-thenable -- the field of a scenario file
  const parsed = parseScenario({ name: 'all', rules: [{ then: { respond: { status: 200, body: {} } } }] });
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(`Failed to read the scenario that answers all: ${parsed.issues[0]?.message}`);
}

/** The operation of a call that reaches the rules; null for any other call. */
async function findOperation(sandbox: InnerSandbox, entry: TraceEntry): Promise<Operation | null> {
  const prepared = prepareCall(entry, new IdentifierMap());
  if ('unsent' in prepared) return null;
  const { method, path, headers, body } = prepared.call;
  // The request itself asks for a fault, and some faults never answer.
  if (headers['x-sandbox-fault'] !== undefined) return null;
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...headers, 'x-secretkey': DEFAULT_KEY },
    body: method === 'GET' || method === 'HEAD' ? null : body,
  });
  await (await sandbox.fetch(request)).body?.cancel();
  const journal = sandbox.worlds.open(DEFAULT_KEY).journal;
  const [last] = journal.entries(journal.nextId - 1);
  return last === undefined || last.rule === null ? null : (last.operation as Operation | null);
}

/** The rule's `then` for a recorded answer: `nothing` where the recording has only its beginning. */
function buildEffect({ status, response, fault, isTruncated }: TraceEntry): object {
  if (fault !== null && partLeftBy(fault) !== 'all') return { fault };
  if (status === 0) return { fault: 'empty' };
  return isTruncated ? { nothing: true } : { respond: { status, body: response ?? '' } };
}

/** Creates a rule for each call. Consecutive calls of an operation with the same answer share a rule. */
function buildTraceRules(found: readonly AnswerableCall[]): readonly object[] {
  const rules: { readonly then: object; times: number }[] = [];
  const lastOf = new Map<Operation, (typeof rules)[number]>();
  for (const { call, operation, effect } of found) {
    const last = lastOf.get(operation);
    if (JSON.stringify(last?.then) === JSON.stringify(effect) && last !== undefined) {
      last.times++;
      continue;
    }
    // oxlint-disable-next-line unicorn/no-thenable -- the field of a scenario file
    const rule = { name: `call ${call}`, when: { operation }, then: effect, times: 1 };
    lastOf.set(operation, rule);
    rules.push(rule);
  }
  return rules;
}

/** Formats the scenario as YAML. Parses it again, since it may exceed the limits of a scenario. */
async function formatScenario(
  file: string,
  entries: readonly TraceEntry[],
  rules: readonly object[],
): Promise<string> {
  // Callers with different dialects keep theirs.
  const [dialect, ...others] = new Set(entries.map(({ headers }) => headers['x-sandbox-dialect']));
  const name = basename(file).slice(0, 80);
  const scenario = {
    name: `answers from ${name}`,
    description: `Repeats the answers of ${formatCount(entries.length, 'call')} in ${name}, in the recorded order for each operation, whatever the request contains.`,
    ...(dialect === undefined || others.length > 0 ? {} : { dialect }),
    rules,
  };
  const text = await formatYaml(scenario);
  const read = await readScenarioText(text, file);
  if ('scenario' in read) return text;
  throw new FileError(`${file} does not make a valid scenario: ${read.problems[0]?.message}`);
}
