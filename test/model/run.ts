import { kindOf, type Step } from './commands/index.js';
import { type Call, Context, type Exported, Refused, type Verdict } from './commands/kind.js';
import { read, inDialect } from './dialect.js';
import type { Answer, Driver } from './drivers.js';
import { ModelWorld } from './model-world.js';
import { compareAll } from './records.js';
import { type Ask, requireSame } from './same.js';

/** Plays commands against a sandbox and its model, side by side. */

export const WORLDS = 3;

interface Side {
  readonly model: ModelWorld;
  readonly ask: Ask;
  /** The world as a document after the step before. */
  document: Documented;
  ids: readonly string[];
  /** What was taken out of the world last; null: nothing so far. */
  exported: Exported | null;
}

/** A world's document, but for what every request counts: the identifiers of the answers. */
interface Documented {
  readonly records: string;
  /** What is queued and played: a call uses it up also where it is refused. */
  readonly script: string;
}

/** What happened so far, for people: one line a step. */
export type Log = string[];

/** Statuses after which nothing happens to a charge any more. */
const TERMINAL = ['FAILED', 'REFUND', 'AUTHORISE_CANCELLED'];

/** Throws at the first step after which sandbox and model differ. */
export async function play(driver: Driver, prefix: string, steps: readonly Step[], log: Log): Promise<void> {
  const sides: Side[] = [];
  for (let n = 0; n < WORLDS; n++) {
    const ask: Ask = (call) => driver.call(`sk_test_${prefix}_${n}`, call);
    sides.push({ model: new ModelWorld(), ask, document: await documentOf(ask), ids: [], exported: null });
  }
  for (const [n, step] of steps.entries()) await playStep(sides, step, log, n);
}

type Document = Record<string, unknown> & { Chance: { Counts: { Name: string }[] } };

async function documentOf(ask: Ask): Promise<Documented> {
  const { text } = await ask({ method: 'GET', path: '/_sandbox/state' });
  const { Script, Chance, ...rest } = JSON.parse(text) as Document;
  const counts = Chance.Counts.filter(({ Name }) => Name !== 'requests' && Name !== 'controls');
  return { records: JSON.stringify([rest, { ...Chance, Counts: counts }]), script: JSON.stringify(Script) };
}

async function playStep(sides: readonly Side[], step: Step, log: Log, n: number): Promise<void> {
  const side = sides[step.world % sides.length];
  if (!side) throw new Error('There is no such world');
  const { model, ask } = side;
  const others = sides.filter((other) => other !== side);
  const foreign = others.map((other) => other.model.state);
  const { dialect = 'documented' } = step;
  const context = new Context(model.state, foreign, model, side.exported, dialect);
  const plan = kindOf(step).plan(context, step.args as never);
  const { decide } = plan;
  const call = inDialect(plan.call, dialect);
  const ended = endedCharges(side);
  const answered = await ask(call);
  const answer = { ...answered, body: read(answered.body, call, dialect) };
  log.push(`${n + 1}. world ${step.world}: ${step.kind}: ${describe(call)} → ${describeAnswer(answer)}`);

  const verdict = decided(decide);
  requireSame('The answer', said(answer), expected(call, verdict));
  const isDecline = !(verdict instanceof Refused) && (verdict.decline ?? null) !== null;
  requireSame('That a payer is named', namesPayer(answer.body), isDecline);
  if (verdict instanceof Refused) model.accept(context.used);
  else follow(side, context, verdict, answer);
  for (const { model: one } of sides) one.enter();
  if (model.state.receivers.length > 0) await ask(DELIVERED);

  const isRead = verdict instanceof Refused || (verdict.events ?? verdict.instead) === undefined;
  await compareDocuments(side, others, isRead);
  if (isRead) return;
  await compareRecords(side, sides);
  if (verdict.instead === undefined) requireEnded(side, ended);
}

/** Deliveries end in real time, the first of a process only when its code is loaded, and a world's document shows how they stand. */
const DELIVERED: Call = { method: 'POST', path: '/_sandbox/settle', body: { Timeout: '60s' } };

function decided(decide: () => Verdict): Verdict | Refused {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function follow(side: Side, context: Context, verdict: Verdict, { body }: Answer): void {
  const { model } = side;
  verdict.check?.(body);
  if (verdict.exports === true) side.exported = { document: body, events: model.events };
  if (verdict.saves !== undefined) model.save(verdict.saves);
  if (verdict.chooses !== undefined) model.chosen = verdict.chooses;
  if (verdict.instead !== undefined) model.begin(verdict.instead);
  else model.accept([...context.used, ...(verdict.events?.(body) ?? [])]);
}

const said = ({ status, body }: Answer): unknown => [status, status < 400 ? null : body['Code']];

/** Every POST creates something but a capture, and those of 3-D Secure and of the sandbox itself. */
const creates = ({ method, path }: Call): boolean =>
  method === 'POST' && !/^\/(?:_sandbox\/|3ds\/|charge\/(?:[\da-f]{32}|[^/]+\/capture)$)/.test(path);

/** The refusals of gateways name the payer, and no others do. */
function namesPayer({ Details }: Answer['body']): boolean {
  return typeof Details === 'object' && Details !== null && 'PaymentType' in Details;
}

function expected(call: Call, verdict: Verdict | Refused): unknown {
  if (verdict instanceof Refused) return [verdict.status, verdict.code];
  const { decline = null } = verdict;
  return decline === null ? [creates(call) ? 201 : 200, null] : [decline.status, decline.code];
}

/** Other worlds are as they were, to the byte; this one is, too, where the call was refused or only read. */
async function compareDocuments(side: Side, others: readonly Side[], isRead: boolean): Promise<void> {
  for (const other of others) {
    const document = await documentOf(other.ask);
    requireSame('Another world', document, other.document);
  }
  const document = await documentOf(side.ask);
  if (isRead) requireSame('The world after a refusal or a read', document.records, side.document.records);
  side.document = document;
}

/** All records of the world agree with its model, and no two of any world have one identifier. */
async function compareRecords(side: Side, sides: readonly Side[]): Promise<void> {
  side.ids = await compareAll(side.ask, side.model);
  const ids = sides.flatMap((one) => one.ids);
  requireSame('The number of different identifiers', new Set(ids).size, ids.length);
}

const endedCharges = ({ model }: Side): Map<string | null, string> =>
  new Map(
    model.state.charges
      .filter(({ status }) => TERMINAL.includes(status))
      .map(({ id, status }) => [id, status]),
  );

/** What has ended stays so. */
function requireEnded({ model }: Side, ended: ReadonlyMap<string | null, string>): void {
  for (const { id, status } of model.state.charges) {
    const before = ended.get(id);
    if (before !== undefined) requireSame(`The status of the charge ${id}, which had ended,`, status, before);
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
