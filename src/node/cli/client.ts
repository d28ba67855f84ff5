import { shownKey } from '../../core/secrets.js';
import { count, linesOf, plainLine } from '../../core/text.js';
import type { JournalResponse } from '../../control/journal/schema.js';
import type { AdvanceResponse, WorldResponse } from '../../control/schema.js';
import { CommandError, EXIT_FAILED } from './terminal.js';
import type { ClientOptions, JOURNAL, RESET } from './option-table.js';
import type { ValuesOf } from './option.js';
import type { ClockAdvance } from './verbs.js';

/** Node's error codes for a certificate that it does not trust. */
const DISTRUST = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

export function callError(message: string): CommandError {
  return new CommandError(plainLine(message), EXIT_FAILED);
}

export interface Answer<T> {
  readonly body: T;
  /** The world that was called, such as `the world 1f2e3d4c of sk_test_local`. */
  readonly world: string;
}

/** Calls a running server: POST if a body is given, otherwise GET. Rejects with a CommandError unless it answers with JSON. */
export async function call<T>(options: ClientOptions, path: string, body?: object): Promise<Answer<T>> {
  const answer = await callRaw(options, path, body);
  const parsed: unknown = await answer.json().catch(() => null);
  if (parsed === null) return refuse(options.url + path, answer.status, parsed);
  return { body: parsed as T, world: worldOf(answer.headers.get('x-sandbox-world'), options.key) };
}

/** Like `call`, but returns the answer unread. */
export async function callRaw(
  { url, key, adminToken }: ClientOptions,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = {
    'x-secretkey': key,
    'content-type': 'application/json',
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(url + path, init).catch((error: unknown) => {
    throw callError(unreachable(url, error));
  });
  return answer.ok ? answer : refuse(url + path, answer.status, await answer.json().catch(() => null));
}

/** Describes a world by its name on the server and its key. */
export function worldOf(name: string | null, key: string): string {
  return `the world ${name === null ? '' : `${plainLine(name)} `}of ${shownKey(key)}`;
}

function refuse(address: string, status: number, parsed: unknown): never {
  const message = (parsed as { Message?: unknown } | null)?.Message;
  throw callError(
    typeof message === 'string'
      ? message
      : `${address} returned ${status} without a message. Is it a playmoney server?`,
  );
}

function unreachable(url: string, error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  if (DISTRUST.has(cause?.code ?? '')) {
    return `the certificate of ${url} is not trusted. Set NODE_EXTRA_CA_CERTS to the file that the server prints at its start`;
  }
  const reason = cause?.code === 'ECONNREFUSED' ? '' : ` (${cause?.message ?? String(error)})`;
  return `no server at ${url}${reason}. Start one with \`playmoney start\`, or give its address with --url`;
}

/** Moves the clock of a world forward, and lists the jobs that ran. */
export async function advance(options: ClientOptions, change: ClockAdvance): Promise<string> {
  const { body, world } = await call<AdvanceResponse>(options, '/_sandbox/clock/advance', change);
  const { From, Now, Ran, Jobs } = body;
  return linesOf([
    `${From} → ${Now}`,
    ...Ran.map(({ At, Kind, Ref }) => line(`  ${At}`, Kind, Ref)),
    ...(Jobs > Ran.length ? [`  and ${Jobs - Ran.length} more`] : []),
    Jobs === 0 ? `No jobs were due in ${world}.` : `${count(Jobs, 'job')} ran in ${world}.`,
  ]);
}

/** Resets a world, optionally with another seed or scenario, and describes the new one. */
export async function reset({ seed, scenario, ...options }: ValuesOf<typeof RESET>): Promise<string> {
  const { body, world } = await call<WorldResponse>(options, '/_sandbox/reset', {
    ...(seed === null ? {} : { Seed: seed }),
    ...(scenario === null ? {} : { Scenario: scenario }),
  });
  const { Seed, Clock, Scenario, Counts } = body;
  const plays = Scenario === null ? '' : `, scenario ${Scenario}`;
  const state = `seed ${Seed}, clock ${Clock.Mode} at ${Clock.Now}${plays}`;
  return linesOf([line(`T${world.slice(1)} is ${filling(Counts)}: ${state}.`)]);
}

/** Every new world has these, with or without seed data. */
const NO_SEED_DATA = ['Providers', 'JournalEntries', 'QueuedJobs'];

function filling(counts: WorldResponse['Counts']): string {
  const filled = Object.entries(counts)
    .filter(([name, records]) => records > 0 && !NO_SEED_DATA.includes(name))
    .map(([name, records]) => `${records} ${name}`);
  return filled.length === 0 ? 'empty' : `reset, with ${filled.join(', ')}`;
}

/** Lists the last calls of a world, the newest last, and the world below them, where a terminal shows it. */
export async function journal({ limit, ...options }: ValuesOf<typeof JOURNAL>): Promise<string> {
  const path = `/_sandbox/journal${limit === null ? '' : `?Limit=${limit}`}`;
  const { body, world } = await call<JournalResponse>(options, path);
  if (body.Entries.length === 0) return linesOf([`The journal of ${world} is empty.`]);
  const calls = body.Entries.toReversed().map(({ At, Method, Path, Status, Trigger }) =>
    // A status of 0 means that a fault lost the answer.
    line(At, Method.padEnd(6), Path, Status === 0 ? 'no answer' : Status, Trigger),
  );
  return linesOf([...calls, `${count(calls.length, 'call')} in ${world}.`]);
}

/** Joins cells without control characters, which the names of rules may contain. */
function line(...cells: readonly (string | number | null)[]): string {
  return plainLine(cells.join('  ').trimEnd());
}
