import { count, linesOf, plainLine } from '../../core/text.js';
import { call } from './client.js';
import type { ValuesOf } from './option.js';
import type { ClientOptions, JOURNAL, RESET } from './option-table.js';
import type { ClockAdvance } from './verbs.js';

interface Advanced {
  readonly From: string;
  readonly Now: string;
  readonly Ran: readonly { readonly At: string; readonly Kind: string; readonly Ref: string | null }[];
  readonly Jobs: number;
}

/** Puts the clock of a world forward, and lists the jobs that ran. */
export async function advance(options: ClientOptions, change: ClockAdvance): Promise<string> {
  const { body, world } = await call<Advanced>(options, '/_sandbox/clock/advance', change);
  const { From, Now, Ran, Jobs } = body;
  return linesOf([
    `${From} → ${Now}`,
    ...Ran.map(({ At, Kind, Ref }) => line(`  ${At}`, Kind, Ref)),
    ...(Jobs > Ran.length ? [`  and ${Jobs - Ran.length} more`] : []),
    Jobs === 0 ? `No job was due in ${world}.` : `${count(Jobs, 'job')} ran in ${world}.`,
  ]);
}

interface FreshWorld {
  readonly Seed: string;
  readonly Clock: { readonly Now: string; readonly Mode: string };
  readonly Scenario: string | null;
  readonly Counts: Readonly<Record<string, number>>;
}

/** Empties a world, with another seed or scenario where they are given, and describes the fresh one. */
export async function reset({ seed, scenario, ...options }: ValuesOf<typeof RESET>): Promise<string> {
  const { body, world } = await call<FreshWorld>(options, '/_sandbox/reset', {
    ...(seed === null ? {} : { Seed: seed }),
    ...(scenario === null ? {} : { Scenario: scenario }),
  });
  const { Seed, Clock, Scenario, Counts } = body;
  const plays = Scenario === null ? '' : `, scenario ${Scenario}`;
  const state = `seed ${Seed}, clock ${Clock.Mode} at ${Clock.Now}${plays}`;
  return linesOf([line(`T${world.slice(1)} is ${filling(Counts)}: ${state}.`)]);
}

/** Every fresh world has these, whatever its seed data. */
const NO_SEED_DATA = ['Providers', 'JournalEntries', 'QueuedJobs'];

function filling(counts: FreshWorld['Counts']): string {
  const filled = Object.entries(counts)
    .filter(([name, records]) => records > 0 && !NO_SEED_DATA.includes(name))
    .map(([name, records]) => `${records} ${name}`);
  return filled.length === 0 ? 'empty' : `fresh, with ${filled.join(', ')}`;
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

/** The last calls of a world, the newest last. Its name comes at the end, where a terminal shows it. */
export async function journal({ limit, ...options }: ValuesOf<typeof JOURNAL>): Promise<string> {
  const path = `/_sandbox/journal${limit === null ? '' : `?Limit=${limit}`}`;
  const { body, world } = await call<Journal>(options, path);
  if (body.Entries.length === 0) return linesOf([`The journal of ${world} is empty.`]);
  const calls = body.Entries.toReversed().map(({ At, Method, Path, Status, Trigger }) =>
    // 0: the answer was lost on purpose.
    line(At, Method.padEnd(6), Path, Status === 0 ? 'no answer' : Status, Trigger),
  );
  return linesOf([...calls, `${count(calls.length, 'call')} of ${world}.`]);
}

/** Names of rules may hold anything, but nothing that drives a terminal is printed. */
function line(...cells: readonly (string | number | null)[]): string {
  return plainLine(cells.join('  ').trimEnd());
}
