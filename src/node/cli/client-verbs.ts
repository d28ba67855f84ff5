import { count, linesOf, plainLine } from '../../core/text.js';
import { shownKey } from '../../core/secrets.js';
import { CommandError, EXIT_FAILED } from './command-error.js';
import type { ValuesOf } from './option.js';
import type { ClientOptions, JOURNAL, RESET } from './option-table.js';
import type { ClockAdvance } from './verbs.js';

/** Why a call of a running server did not do what it was for. */
export function callError(message: string): CommandError {
  return new CommandError(message, EXIT_FAILED);
}

/** Node's reasons not to trust the certificate of a server. */
const DISTRUST = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** Puts the clock of a world forward; gives back from where to where, and the jobs that ran. */
export async function advance(options: ClientOptions, change: ClockAdvance): Promise<string> {
  const { read, world } = await call<Advanced>(options, {
    method: 'POST',
    path: '/_sandbox/clock/advance',
    body: change,
  });
  const { From, Now, Ran, Jobs } = read;
  const jobs = Ran.map(({ At, Kind, Ref }) => line([`  ${At}`, Kind, Ref ?? '']));
  const more = Jobs > Ran.length ? [`  and ${Jobs - Ran.length} more`] : [];
  return linesOf([
    `${From} → ${Now}`,
    ...jobs,
    ...more,
    Jobs === 0 ? `No job was due in ${world}.` : `${count(Jobs, 'job')} ran in ${world}.`,
  ]);
}

interface Advanced {
  readonly From: string;
  readonly Now: string;
  readonly Ran: readonly { readonly At: string; readonly Kind: string; readonly Ref: string | null }[];
  readonly Jobs: number;
}

/** Empties a world, with another seed or scenario where they are given; gives back how it begins anew. */
export async function reset(options: ValuesOf<typeof RESET>): Promise<string> {
  const { read, world } = await call<FreshWorld>(options, {
    method: 'POST',
    path: '/_sandbox/reset',
    body: {
      ...(options.seed === null ? {} : { Seed: options.seed }),
      ...(options.scenario === null ? {} : { Scenario: options.scenario }),
    },
  });
  const { Seed, Clock, Scenario, Counts } = read;
  const scenario = Scenario === null ? '' : `, scenario ${Scenario}`;
  const state = `seed ${Seed}, clock ${Clock.Mode} at ${Clock.Now}${scenario}`;
  return linesOf([line([`T${world.slice(1)} is ${filling(Counts)}: ${state}.`])]);
}

/** Counts of a world that say nothing of its seed data. */
const NO_SEED_DATA = ['Providers', 'JournalEntries', 'QueuedJobs'];

/** What seed data filled a fresh world with. */
function filling(counts: FreshWorld['Counts']): string {
  const filled = Object.entries(counts)
    .filter(([name, records]) => records > 0 && !NO_SEED_DATA.includes(name))
    .map(([name, records]) => `${records} ${name}`);
  return filled.length === 0 ? 'empty' : `fresh, with ${filled.join(', ')}`;
}

interface FreshWorld {
  readonly Seed: string;
  readonly Clock: { readonly Now: string; readonly Mode: string };
  readonly Scenario: string | null;
  readonly Counts: Readonly<Record<string, number>>;
}

/** The last calls of a world, a line each, the newest last; then which world it is, where a terminal shows it. */
export async function journal(options: ValuesOf<typeof JOURNAL>): Promise<string> {
  const query = options.limit === null ? '' : `?Limit=${options.limit}`;
  const path = `/_sandbox/journal${query}`;
  const { read, world } = await call<Journal>(options, { method: 'GET', path });
  const { Entries } = read;
  const shown = Entries.toReversed().map(({ At, Method, Path, Status, Trigger }) =>
    // 0: the answer was lost on purpose.
    line([At, Method.padEnd(6), Path, Status === 0 ? 'no answer' : String(Status), Trigger ?? '']),
  );
  return linesOf([
    ...shown,
    shown.length === 0 ? `The journal of ${world} is empty.` : `${count(shown.length, 'call')} of ${world}.`,
  ]);
}

interface Journal {
  readonly Entries: readonly {
    readonly At: string;
    readonly Method: string;
    readonly Path: string;
    readonly Status: number;
    readonly Trigger: string | null;
  }[];
}

/** What a running server answered. */
export interface Answer<T> {
  readonly read: T;
  /** The world that was called, such as `the world 1f2e3d4c of sk_test_local`. */
  readonly world: string;
}

/** Calls a running server; rejects with a CommandError where it does not answer with the JSON that was asked for. */
export async function call<T>(options: ClientOptions, asked: Call): Promise<Answer<T>> {
  const answer = await callRaw(options, asked);
  const parsed: unknown = await answer.json().catch(() => null);
  if (parsed === null) return refuseAnswer(options, asked, answer.status, parsed);
  return { read: parsed as T, world: worldOf(answer.headers.get('x-sandbox-world'), options.key) };
}

/** A world in words: its name on the server and its key. */
export function worldOf(name: string | null, key: string): string {
  return `the world ${name === null ? '' : `${line([name])} `}of ${shownKey(key)}`;
}

/** Like `call`, for an answer that is read elsewhere. */
export async function callRaw(options: ClientOptions, asked: Call): Promise<Response> {
  const { method, path, body } = asked;
  const { url } = options;
  const init = { method, headers: headersOf(options), ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetch(`${url}${path}`, init).catch((error: unknown) => {
    throw callError(unreachable(url, error));
  });
  if (answer.ok) return answer;
  return refuseAnswer(options, asked, answer.status, await answer.json().catch(() => null));
}

function refuseAnswer({ url }: ClientOptions, { path }: Call, status: number, parsed: unknown): never {
  const message = (parsed as { Message?: unknown } | null)?.Message;
  throw callError(
    typeof message === 'string'
      ? line([message])
      : `${url}${path} answered ${status} without a message; is it playmoney?`,
  );
}

function headersOf({ key, adminToken }: ClientOptions): Record<string, string> {
  return {
    'x-secretkey': key,
    'content-type': 'application/json',
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
}

function unreachable(url: string, error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  if (DISTRUST.has(cause?.code ?? '')) {
    return `the certificate of ${url} is not trusted; set NODE_EXTRA_CA_CERTS as the start-up note of the server says`;
  }
  const reason = cause?.code === 'ECONNREFUSED' ? '' : ` (${cause?.message ?? String(error)})`;
  return `nothing answers at ${url}${reason}; start it with: playmoney start, or say with --url where it is`;
}

/** Cells as one line. Names of rules may hold anything, but nothing that drives a terminal gets out. */
function line(cells: readonly string[]): string {
  return plainLine(cells.join('  ').trimEnd());
}
