import { successStatus, whyOtherwise } from '../support/conformity.js';
import { type Answer, type Ask, type Body, type Call, requireSame } from './calls.js';
import { findKind, type Step } from './commands/index.js';
import { type Kept, type Plan, Refused, type Verdict } from './commands/kind.js';
import { isDecline } from './commands/rules.js';
import { inDialect, read } from './dialect.js';
import type { Driver } from './drivers.js';
import { brokenLaw } from './money.js';
import { idOf, listIds, readRecords, type Records } from './records.js';

/** Plays commands against a sandbox, and judges what it shows after each. */

export const WORLDS = 3;

interface Side {
  readonly ask: Ask;
  readonly kept: Kept;
  records: Records;
  /** The world as a document, without the script and what every request counts. */
  document: string;
}

/** What happened so far, for people: one line a step. */
export type Log = string[];

/** Statuses after which nothing happens to a charge any more. */
const TERMINAL = ['FAILED', 'REFUND', 'AUTHORISE_CANCELLED'];
/** What puts another world in the place of what there was. */
const REPLACES = /^\/_sandbox\/(?:state|reset|snapshots\/s\/restore)$/;

/** Throws at the first step after which the sandbox is otherwise than it must be. */
export async function play(driver: Driver, prefix: string, steps: readonly Step[], log: Log): Promise<void> {
  const sides: Side[] = [];
  for (let n = 0; n < WORLDS; n++) {
    const ask: Ask = (call) => driver.call(`sk_test_${prefix}_${n}`, call);
    const kept = { saved: null, exported: null, isScripted: false };
    sides.push({ ask, kept, records: await readRecords(ask), document: await readDocument(ask) });
  }
  for (const [n, step] of steps.entries()) await playStep(sides, step, log, n);
}

async function readDocument(ask: Ask): Promise<string> {
  const { body } = await ask({ method: 'GET', path: '/_sandbox/state' });
  const { Script: _, Chance, ...rest } = body as Body & { Chance: { Counts: { Name: string }[] } };
  const counts = Chance.Counts.filter(({ Name }) => Name !== 'requests' && Name !== 'controls');
  return JSON.stringify([rest, { ...Chance, Counts: counts }]);
}

async function playStep(sides: readonly Side[], step: Step, log: Log, n: number): Promise<void> {
  const side = sides[step.world % sides.length];
  if (!side) throw new Error('There is no such world');
  const { ask, kept, records: before } = side;
  const { dialect } = step;
  const others = sides.filter((one) => one !== side);
  const view = { own: before, others: others.map((one) => one.records), kept };
  const plan = findKind(step).plan(view, step.args as never);
  const call = inDialect(plan.call, dialect);
  const answered = await ask(call);
  const answer = { ...answered, body: read(answered.body, call, dialect) };
  log.push(`${n + 1}. world ${step.world}: ${step.kind}: ${describe(call)} → ${describeAnswer(answer)}`);

  const verdict = decide(plan);
  judgeAnswer(plan.call, answer, verdict);
  if (dialect === 'documented') requireDescribed(call, answer);
  if (plan.isScript) kept.isScripted = true;
  const isRefused = answer.status >= 400 && !isDecline(answer.body);
  await compareDocuments(side, others, isRefused || call.method === 'GET');
  if (!isRefused && call.method !== 'GET') {
    side.records = await readRecords(ask);
    judgeRecords(sides);
    if (!REPLACES.test(call.path)) requireEnded(before, side.records);
  }
  if (verdict !== null && !(verdict instanceof Refused))
    verdict.expect(side.records, isDecline(answer.body), answer.body);
}

function decide({ decide: judge }: Plan): Verdict | Refused | null {
  try {
    return judge?.() ?? null;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function judgeAnswer(
  { method, path }: Call,
  { status, body }: Answer,
  verdict: Verdict | Refused | null,
): void {
  const said = [status, status < 400 ? null : body['Code']];
  const good = [successStatus(method, path), null];
  if (verdict instanceof Refused) {
    requireSame('The answer', [...said, isDecline(body)], [verdict.status, verdict.code, false]);
  } else if (verdict?.decline !== undefined) {
    requireSame('The answer', said, verdict.decline === null ? good : [400, verdict.decline]);
    requireSame('That a payer is named', isDecline(body), verdict.decline !== null);
  } else if (status < 400 || status >= 500 || (verdict !== null && !isDecline(body))) {
    requireSame('The answer', said, good);
  }
}

/** An answer is one that the interface describes. */
function requireDescribed({ method, path }: Call, { status, body }: Answer): void {
  const why = whyOtherwise({ method, path: path.replace(/\?.*/, ''), status, body });
  if (why !== null) throw new Error(why);
}

/** Other worlds are as they were, to the byte; this one is, too, where the call was refused or only read. */
async function compareDocuments(side: Side, others: readonly Side[], isRead: boolean): Promise<void> {
  for (const other of others) requireSame('Another world', await readDocument(other.ask), other.document);
  const document = await readDocument(side.ask);
  if (isRead) requireSame('The world after a refusal or a read', document, side.document);
  side.document = document;
}

/** The laws of money hold, and no two records of any world have one identifier. */
function judgeRecords(sides: readonly Side[]): void {
  for (const { records } of sides) requireSame('The law of money', brokenLaw(records), null);
  const ids = sides.flatMap(({ records }) => listIds(records));
  requireSame('The number of different identifiers', new Set(ids).size, ids.length);
}

/** No charge is lost, and what has ended stays as it is. */
function requireEnded(before: Records, after: Records): void {
  const now = new Map(after.charges.map((charge) => [idOf('charges', charge), charge['Status']]));
  for (const charge of before.charges) {
    const id = idOf('charges', charge);
    const wanted = TERMINAL.includes(String(charge['Status'])) ? charge['Status'] : now.get(id);
    requireSame(`The status of the charge ${id}`, now.get(id) ?? 'lost', wanted);
  }
}

function describe({ method, path, body, headers = {} }: Call): string {
  const extra = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}${extra.join('')}`;
}

function describeAnswer({ status, body }: Answer): string {
  if (status >= 400) return `${status} code ${JSON.stringify(body['Code'])}`;
  return typeof body['Status'] === 'string' ? `${status} ${body['Status']}` : `${status}`;
}
