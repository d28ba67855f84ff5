import { basename } from 'node:path';

import { count } from '../../core/text/text.js';
import { createSandbox, type Sandbox } from '../../app/sandbox.js';
import { leftBy } from '../../scenarios/file/fault.js';
import type { Operation, Scenario } from '../../scenarios/script/model.js';
import { RULES_MAX } from '../../scenarios/file/rules.js';
import { parseScenario } from '../../scenarios/file/schema.js';
import type { ScenarioOptions } from '../options/replay-options.js';
import { readScenarioText } from '../../scenarios/file/file.js';
import { documentOf, EXIT_FAILED, linesOf, type Output, type Result } from '../terminal/terminal.js';
import { yamlOf } from '../terminal/yaml-text.js';
import { NODE_HOST } from '../machine/host.js';
import { outgoing } from '../replay/call.js';
import { Correspondence } from '../replay/correspondence.js';
import { readTraceFile } from '../replay/recordings.js';
import type { TraceEntry } from '../replay/trace.js';
import { FileError } from '../files/file-error.js';
import { writeNew } from '../files/whole-file.js';
import { CallsByReason } from './losses.js';

const KEY = 'sk_test_local';
const ORIGIN = 'http://localhost';
const REFUSED = 'a sandbox refuses them before its rules apply, or the trace has only a part of them';

/** A call that a rule can answer, and the rule's `then`. */
interface Answerable {
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
): Promise<Result> {
  const { entries } = await readTraceFile(file);
  const found = await answerable(entries);
  const rules = rulesOf(found);
  const text = await formatScenario(file, entries, rules.slice(0, RULES_MAX));
  err(linesOf(unanswered(entries, found).map((line) => `No rule can answer ${line}.`)));
  if (rules.length > RULES_MAX) {
    const left = count(rules.length - RULES_MAX, 'rule');
    err(linesOf([`A scenario has at most ${RULES_MAX} rules: left out the last ${left}.`]));
  }
  const exitCode = found.length === 0 ? EXIT_FAILED : 0;
  if (out === null) return { text: documentOf(text), exitCode };
  await writeNew(out, 'scenario', (write) => write(text));
  return { text: linesOf([`${out}: ${count(Math.min(rules.length, RULES_MAX), 'rule')}`]), exitCode };
}

/** A line for each reason why calls have no rule. */
function unanswered(entries: readonly TraceEntry[], found: readonly Answerable[]): readonly string[] {
  const answered = new Set(found.map(({ call }) => call));
  const reasons = new CallsByReason();
  for (const [n, entry] of entries.entries()) {
    if (answered.has(n + 1)) continue;
    if ((entry.lost ?? entry.requestLost) !== null) reasons.addLost(n + 1, entry);
    else reasons.add(n + 1, REFUSED);
  }
  return reasons.lines;
}

/** Sends the calls to a sandbox whose only rule answers everything. A rule can answer the calls that reach it. */
async function answerable(entries: readonly TraceEntry[]): Promise<readonly Answerable[]> {
  const sandbox = createSandbox(NODE_HOST, { clock: { mode: 'manual' }, scenario: answeringAll() });
  try {
    const found: Answerable[] = [];
    for (const [n, entry] of entries.entries()) {
      const operation = entry.lost === null ? await operationOf(sandbox, entry) : null;
      if (operation !== null) found.push({ call: n + 1, operation, effect: effectOf(entry) });
    }
    return found;
  } finally {
    sandbox.close();
  }
}

function answeringAll(): Scenario {
  // oxlint-disable-next-line unicorn/no-thenable -- the field of a scenario file
  const parsed = parseScenario({ name: 'all', rules: [{ then: { respond: { status: 200, body: {} } } }] });
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(`Failed to read the scenario that answers all: ${parsed.issues[0]?.message}`);
}

/** The operation of a call that reaches the rules; null for any other call. */
async function operationOf(sandbox: Sandbox, entry: TraceEntry): Promise<Operation | null> {
  const prepared = outgoing(entry, new Correspondence());
  if ('unsent' in prepared) return null;
  const { method, path, headers, body } = prepared.call;
  // The request itself asks for a fault, and some faults never answer.
  if (headers['x-sandbox-fault'] !== undefined) return null;
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...headers, 'x-secretkey': KEY },
    body: method === 'GET' || method === 'HEAD' ? null : body,
  });
  await (await sandbox.fetch(request)).body?.cancel();
  const journal = sandbox.worlds.open(KEY).journal;
  const [last] = journal.entries(journal.nextId - 1);
  return last === undefined || last.rule === null ? null : (last.operation as Operation | null);
}

/** The rule's `then` for a recorded answer: `nothing` where the recording has only its beginning. */
function effectOf({ status, response, fault, isTruncated }: TraceEntry): object {
  if (fault !== null && leftBy(fault) !== 'all') return { fault };
  if (status === 0) return { fault: 'empty' };
  return isTruncated ? { nothing: true } : { respond: { status, body: response ?? '' } };
}

/** Creates a rule for each call. Consecutive calls of an operation with the same answer share a rule. */
function rulesOf(found: readonly Answerable[]): readonly object[] {
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
  const dialect = entries.find(({ headers }) => headers['x-sandbox-dialect'])?.headers['x-sandbox-dialect'];
  const name = basename(file).slice(0, 80);
  const scenario = {
    name: `answers from ${name}`,
    description: `Repeats the answers of ${count(entries.length, 'call')} in ${name}, in the recorded order for each operation, whatever the request contains.`,
    ...(dialect === undefined ? {} : { dialect }),
    rules,
  };
  const text = await yamlOf(scenario);
  const read = await readScenarioText(text, file);
  if ('scenario' in read) return text;
  throw new FileError(`${file} does not make a valid scenario: ${read.problems[0]?.message}`);
}
