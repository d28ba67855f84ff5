import * as z from 'zod';

import type { OptionValues } from '../../../core/option.js';
import { dropNulls } from '../../../core/given.js';
import { formatCount } from '../../../core/text/text.js';
import { isOtherClock, formatReference } from '../../http/request-log.js';
import { callServer, JOURNAL_BYTES_MAX, requirePlaymoney, WORK_MS } from '../../remote/call-server.js';
import type { ClientOptions, JOURNAL, RESET } from '../../options/option-table.js';
import { describeOtherWorlds, listWorlds } from '../../remote/other-worlds.js';
import { formatLines, type Printable } from '../../terminal/terminal.js';
import type { ClockAdvance } from '../verbs.js';

/** Moves the clock of a world forward, and lists the jobs that ran. */
export async function runAdvance(options: ClientOptions, change: ClockAdvance): Promise<Printable> {
  // Jobs and webhooks may take long, so a quick call first detects a server that never answers.
  await requirePlaymoney(options);
  const { body, world, hash } = await callServer(options, {
    path: '/_sandbox/clock/advance',
    body: change,
    schema: z.object({
      From: z.string(),
      Now: z.string(),
      Jobs: z.number(),
      Ran: z.array(z.object({ At: z.string(), Kind: z.string(), Ref: z.string().nullable() })),
    }),
    limitMs: WORK_MS,
  });
  const { From, Now, Ran, Jobs } = body;
  const hint = Jobs === 0 ? describeOtherWorlds(hash, await listWorlds(options)) : [];
  return formatLines([
    `${From} → ${Now}`,
    ...Ran.map(({ At, Kind, Ref }) => joinCells(`  ${At}`, Kind, Ref)),
    ...(Jobs > Ran.length ? [`  and ${Jobs - Ran.length} more`] : []),
    Jobs === 0 ? `No jobs were due in ${world}.` : `${formatCount(Jobs, 'job')} ran in ${world}.`,
    ...hint,
  ]);
}

/** Resets a world, optionally with another seed, name or scenario, and describes the new one. */
export async function runReset({
  seed,
  name,
  scenario,
  ...options
}: OptionValues<typeof RESET>): Promise<Printable> {
  // Loading seed data may take long: as above, a quick call comes first.
  await requirePlaymoney(options);
  const worlds = await listWorlds(options);
  const { body, world, hash } = await callServer(options, {
    path: '/_sandbox/reset',
    body: dropNulls({ Seed: seed, Name: name, Scenario: scenario }),
    schema: z.object({
      Seed: z.string(),
      Clock: z.object({ Mode: z.string(), Now: z.string() }),
      Scenario: z.string().nullable(),
      Counts: z.record(z.string(), z.unknown()),
    }),
    limitMs: WORK_MS,
  });
  const { Seed, Clock, Scenario, Counts } = body;
  const plays = Scenario === null ? '' : `, scenario ${Scenario}`;
  const state = `seed ${Seed}, clock ${Clock.Mode} at ${Clock.Now}${plays}`;
  const others = describeOtherWorlds(hash, worlds);
  const hint = others.length === 0 ? [] : [`It had no calls. ${others.join()}`];
  return formatLines([`T${world.slice(1)} is ${describeContents(Counts)}: ${state}.`, ...hint]);
}

/** Every new world has these records, even without seed data. */
const NO_SEED_DATA = ['Providers', 'JournalEntries', 'QueuedJobs'];

function describeContents(counts: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(counts)
    .filter(([name, records]) => Number(records) > 0 && !NO_SEED_DATA.includes(name))
    .map(([name, records]) => `${Number(records)} ${name}`);
  return filled.length === 0 ? 'empty' : `reset, with ${filled.join(', ')}`;
}

/** Lists the last calls of a world. The newest call and the world come last, where a terminal shows them. */
export async function runJournal({ limit, ...options }: OptionValues<typeof JOURNAL>): Promise<Printable> {
  const { body, world, hash } = await callServer(options, {
    path: `/_sandbox/journal${limit === null ? '' : `?Limit=${limit}`}`,
    schema: z.object({
      Entries: z.array(
        z.object({
          At: z.string(),
          RealAt: z.string(),
          Method: z.string(),
          Path: z.string(),
          Status: z.number(),
          Trigger: z.string().nullable(),
          Reference: z.string().nullable(),
          Recorded: z.boolean(),
          Undone: z.boolean(),
        }),
      ),
    }),
    bytesMax: JOURNAL_BYTES_MAX,
  });
  if (body.Entries.length === 0) {
    const hint = describeOtherWorlds(hash, await listWorlds(options));
    return formatLines([`The journal of ${world} is empty.`, ...hint]);
  }
  const entries = body.Entries.toReversed();
  const isOther = entries.some(({ At, RealAt }) => isOtherClock(At, RealAt));
  const calls = entries.map(({ At, RealAt, Method, Path, Status, Trigger, Reference, Recorded, Undone }) =>
    joinCells(
      At,
      isOther && RealAt,
      Method.padEnd(6),
      Path,
      // A status of 0 means that a fault lost the answer.
      Status === 0 ? 'no answer' : Status,
      Trigger,
      Reference !== null && formatReference(Reference),
      Recorded && '(recorded)',
      Undone && '(undone)',
    ),
  );
  const clocks = isOther ? ' The first time of a line is that of the world, the second is real.' : '';
  return formatLines([...calls, `${formatCount(calls.length, 'call')} in ${world}.${clocks}`]);
}

/** A line of the cells that have a value. */
function joinCells(...cells: readonly (string | number | false | null)[]): string {
  return cells.filter((cell) => cell !== null && cell !== false && cell !== '').join('  ');
}
