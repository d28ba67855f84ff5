import { maskKey } from '../../core/text/secrets.js';
import { formatCount } from '../../core/text/text.js';
import { formatDuration } from '../../core/time/time.js';
import { describeWorld } from '../remote/call-server.js';
import type { ReplayOptions } from '../options/replay-options.js';
import { EXIT_FAILED, formatLines, type Output, type VerbResult } from '../terminal/terminal.js';
import type { Progress } from '../terminal/progress.js';
import { readText } from '../files/text-file.js';
import { FileError } from '../files/file-error.js';
import { DifferenceCauses } from './causes.js';
import { diffReply, prepareCall } from '../../control/opening/prepare-call.js';
import { IdentifierMap, type MissingId } from '../../control/opening/identifier-map.js';
import { formatDifferences } from '../../control/opening/diff.js';
import { buildNthKey } from '../../control/opening/recordings.js';
import { readRecordingsFile } from './recordings.js';
import { sendToTarget, type ReplayTarget } from './send.js';
import { createClockMover, type MoveClock, describeUsedWorld } from './control-calls.js';
import type { Trace, TraceEntry } from '../../control/opening/recorded-call.js';

const MISSING_MAX = 3;
const ADDRESS_LENGTH_MAX = 120;

/** Where a replay prints its results and its progress. */
export interface ReplayOutput extends Output {
  readonly progress: Pick<Progress, 'note' | 'hide'>;
}

/**
 * Sends the calls of a trace or bundle in order, and prints where the answers differ from the recorded ones. The exit code
 * is 0 if all are equal, 1 for a difference or a call that cannot be sent. Rejects with a CommandError if there is no
 * connection.
 */
export async function runReplay(
  file: string,
  options: ReplayOptions,
  output: ReplayOutput,
): Promise<VerbResult> {
  const { all, lack } = await readRecordingsFile(file);
  const { against: url, key, timeout: timeoutMs, adminToken } = options;
  const ca = options.ca === null ? null : await requireCertificates(options.ca);
  if (lack !== null) output.err(formatLines([lack]));
  const sum = { calls: 0, alike: 0 };
  for (const [n, { trace, world }] of all.entries()) {
    const target = { url, key: buildNthKey(key, n), timeoutMs, ca };
    if (trace.entries.length > 0) output.err(formatLines(await describeUsedWorld(target, adminToken)));
    const moveClock = options.moveClock ? await createClockMover(target, adminToken, trace) : null;
    const shown = world === null ? '' : ` (${world} in the file)`;
    const part = all.length === 1 ? null : `world ${n + 1} of ${all.length}${shown}`;
    sum.alike += await new WorldReplay(
      trace,
      target,
      moveClock,
      new Set(options.ignores),
      output,
      part,
    ).run();
    sum.calls += trace.entries.length;
  }
  if (all.length !== 1) output.out(formatLines([sumLine(all.length, sum)]));
  return sum.alike === sum.calls ? {} : { exitCode: EXIT_FAILED };
}

function sumLine(
  worlds: number,
  { calls, alike }: { readonly calls: number; readonly alike: number },
): string {
  const others = alike === calls ? '' : `, ${calls - alike} different or not sent`;
  return `${formatCount(worlds, 'world')}, ${formatCount(calls, 'call')}: ${alike} equal${others}.`;
}

/** Reads the certificates (PEM) in a file; rejects with a FileError if there are none. */
export async function requireCertificates(file: string): Promise<string> {
  const text = await readText(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new FileError(`${file} has no certificate (PEM)`);
}

class WorldReplay {
  readonly #ids = new IdentifierMap();
  readonly #causes = new DifferenceCauses();
  #alike = 0;
  #different = 0;
  #unsent = 0;
  readonly #isPart: boolean;
  /** The name of the sandbox's world; null until a sandbox has answered. */
  #world: string | null = null;

  constructor(
    private readonly trace: Trace,
    private readonly target: ReplayTarget,
    private readonly moveClock: MoveClock | null,
    private readonly ignored: ReadonlySet<string>,
    private readonly output: ReplayOutput,
    /** Which world of several it is; null for the only one. It is printed if there are differences. */
    private part: string | null = null,
  ) {
    this.#isPart = part !== null;
  }

  /** Returns how many answers are equal. */
  async run(): Promise<number> {
    const { entries, evicted } = this.trace;
    const { err, progress } = this.output;
    const dropped = `the journal had already dropped ${formatCount(evicted, 'earlier call')}`;
    if (evicted > 0) err(formatLines([`The trace is incomplete: ${dropped}.`]));
    for (const [n, entry] of entries.entries()) {
      await this.moveClock?.(entry.at);
      await this.#play(n + 1, entry);
      this.#ids.noteAnswer(n + 1, entry.response);
      progress.note('replaying calls', n + 1, entries.length);
    }
    // A single difference is already shown with its call.
    if (this.#different > 1 || this.#causes.size > 1)
      this.#say('by cause (recorded → now)', ...this.#causes.lines());
    const isEqual = this.#alike === entries.length;
    if (!isEqual || !this.#isPart) this.#say(this.#summary());
    if (!isEqual) this.#hint();
    return this.#alike;
  }

  /** Hides the progress before it prints. */
  #say(...lines: readonly string[]): void {
    this.output.progress.hide();
    const head = this.part === null ? [] : [`${this.part}:`];
    this.part = null;
    this.output.out(formatLines([...head, ...lines]));
  }

  async #play(call: number, entry: TraceEntry): Promise<void> {
    const prepared = prepareCall(entry, this.#ids);
    if ('unsent' in prepared) {
      this.#unsent++;
      return this.#say(this.#head(call, entry), `    not sent: ${prepared.unsent}`);
    }
    const { call: sent, missing } = prepared;
    const reply = await sendToTarget(this.target, sent);
    if (reply.kind === 'whole') this.#world ??= reply.world;
    const differences = diffReply(entry, reply, this.#ids, this.ignored);
    if (differences.length === 0) {
      this.#alike++;
      return;
    }
    this.#different++;
    this.#causes.add(call, entry, differences, missing.length > 0);
    const details = [...formatDifferences(differences), ...formatMissing(missing)];
    this.#say(this.#head(call, entry), ...details.map((line) => `    ${line}`));
  }

  #head(call: number, { method, path, query }: TraceEntry): string {
    const address = query === '' ? path : `${path}?${query}`;
    const short = address.length > ADDRESS_LENGTH_MAX ? `${address.slice(0, ADDRESS_LENGTH_MAX)}…` : address;
    return `call ${call} of ${this.trace.entries.length}: ${method} ${short}`;
  }

  #summary(): string {
    const parts = [
      `${this.#alike} equal`,
      ...(this.#different === 0 ? [] : [`${this.#different} different (recorded → now)`]),
      ...(this.#unsent === 0 ? [] : [`${this.#unsent} not sent`]),
    ];
    const { key } = this.target;
    const target = this.#world === null ? `with ${maskKey(key)}` : `to ${describeWorld(this.#world, key)}`;
    return `${formatCount(this.trace.entries.length, 'call')} ${target}: ${parts.join(', ')}.`;
  }

  /** Suggests --move-clock, since the clock is the most frequent cause of differences. */
  #hint(): void {
    const { entries } = this.trace;
    const spanMs = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0);
    if (this.moveClock !== null || spanMs <= 0) return;
    const moved = `The recorded clock moved by ${formatDuration(spanMs)} between the first call and the last.`;
    const remedy = 'Use --move-clock to move the clock of a sandbox in the same way.';
    this.output.err(formatLines([`${moved} ${remedy}`]));
  }
}

/** Identifiers without a counterpart, which may be why a call failed. */
function formatMissing(missing: readonly MissingId[]): string[] {
  const lines = missing.slice(0, MISSING_MAX).map(({ id, call }) => {
    const giver =
      call === null ? 'no call of the trace returned' : `call ${call} returned, but not this time`;
    return `its request contains ${id}, which ${giver}`;
  });
  const more = missing.length - MISSING_MAX;
  return more > 0 ? [...lines, `and ${formatCount(more, 'more identifier')}`] : lines;
}
