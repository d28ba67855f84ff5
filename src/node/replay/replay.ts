import { count, plainLine } from '../../core/text.js';
import { shownKey } from '../../core/secrets.js';
import { formatDuration } from '../../core/time.js';
import type { Output } from '../cli/check.js';
import { EXIT_FAILED } from '../cli/command-error.js';
import { FileError, readText } from '../state/whole-file.js';
import { worldOf } from '../cli/client.js';
import { Correspondence, type Missing } from './correspondence.js';
import type { ReplayOptions } from '../cli/option-table.js';
import { diffReply, outgoing, unsendable } from './call.js';
import { type ClockMover, clockMover } from './clock.js';
import { shownDifferences } from './shown.js';
import { sendCall, type Target } from '../cli/send.js';
import type { Result } from '../cli/terminal.js';
import type { Progress } from '../cli/terminal-progress.js';
import { readTraceFile, type Trace, type TraceEntry } from './trace.js';

/** Identifiers without a counterpart that are named of one request. */
const MISSING_MAX = 3;
const ADDRESS_LENGTH_MAX = 120;

/** Where a replay prints, and says how far it is. */
export interface ReplayOutput extends Output {
  readonly progress: Pick<Progress, 'note' | 'hide'> | null;
}

/**
 * Sends the calls of a trace, or of a bundle, in their order, and prints in what the answers differ from the
 * recorded ones. Gives back the exit code: 0 all alike, 1 a difference or a call without its answer. Rejects with a
 * CommandError where they cannot be sent.
 */
export async function replay(file: string, options: ReplayOptions, output: ReplayOutput): Promise<Result> {
  const trace = await readTraceFile(file);
  const { against: url, key, timeout: timeoutMs, adminToken } = options;
  const target = { url, key, timeoutMs, ca: options.ca === null ? null : await certificatesIn(options.ca) };
  const mover = options.moveClock ? await clockMover(target, adminToken, trace) : null;
  return new Replay(trace, target, mover, options, output).run();
}

async function certificatesIn(file: string): Promise<string> {
  const text = await readText(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new FileError(`${file} holds no certificate (PEM)`);
}

class Replay {
  readonly #ids = new Correspondence();
  readonly #ignored: ReadonlySet<string>;
  #alike = 0;
  #different = 0;
  #unsent = 0;
  /** The name of the world that answered; null: none did, or what answered is no sandbox. */
  #world: string | null = null;

  constructor(
    private readonly trace: Trace,
    private readonly target: Target,
    private readonly mover: ClockMover | null,
    options: ReplayOptions,
    private readonly output: ReplayOutput,
  ) {
    this.#ignored = new Set(options.ignores);
  }

  async run(): Promise<Result> {
    const { entries, evicted } = this.trace;
    const { err, progress } = this.output;
    if (evicted > 0) err(`The journal had let go of ${count(evicted, 'call')} before those of this trace.\n`);
    for (const [n, entry] of entries.entries()) {
      await this.mover?.to(entry.at);
      await this.#play(n + 1, entry);
      this.#ids.note(n + 1, entry.response);
      progress?.note('playing calls', n + 1, entries.length);
    }
    this.#say(this.#summary());
    const isAlike = this.#alike === entries.length;
    if (!isAlike) this.#hint();
    return { exitCode: isAlike ? 0 : EXIT_FAILED };
  }

  /** Prints what is not about how far it is. */
  #say(text: string): void {
    this.output.progress?.hide();
    this.output.out(text);
  }

  async #play(call: number, entry: TraceEntry): Promise<void> {
    const reason = unsendable(entry);
    if (reason !== null) {
      this.#unsent++;
      return this.#say(`${this.#head(call, entry)}\n    not sent: ${reason}\n`);
    }
    const { call: sent, missing } = outgoing(entry, this.#ids);
    const reply = await sendCall(this.target, sent);
    if (reply.kind === 'whole') this.#world ??= reply.world;
    const differences = diffReply(entry, reply, this.#ids, this.#ignored);
    if (differences.length === 0) {
      this.#alike++;
      return;
    }
    this.#different++;
    this.#say(
      `${[this.#head(call, entry), ...shownDifferences(differences), ...shownMissing(missing)].join('\n    ')}\n`,
    );
  }

  #head(call: number, { method, path, query }: TraceEntry): string {
    const address = plainLine(query === '' ? path : `${path}?${query}`);
    const short = address.length > ADDRESS_LENGTH_MAX ? `${address.slice(0, ADDRESS_LENGTH_MAX)}…` : address;
    return `call ${call} of ${this.trace.entries.length}: ${method} ${short}`;
  }

  #summary(): string {
    const parts = [
      `${this.#alike} alike`,
      ...(this.#different === 0 ? [] : [`${this.#different} different (recorded → now)`]),
      ...(this.#unsent === 0 ? [] : [`${this.#unsent} not sent`]),
    ];
    const { key } = this.target;
    const whose = this.#world === null ? `with ${shownKey(key)}` : `to ${worldOf(this.#world, key)}`;
    return `${count(this.trace.entries.length, 'call')} ${whose}: ${parts.join(', ')}.\n`;
  }

  /** The most frequent reason for differences that are none of the service. */
  #hint(): void {
    const { entries } = this.trace;
    const spanMs = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0);
    if (this.mover !== null || spanMs <= 0) return;
    const span = formatDuration(spanMs);
    this.output.err(
      `The recorded clock moved by ${span} between the first call and the last; --move-clock moves that of a sandbox likewise.\n`,
    );
  }
}

/** What may be the reason: identifiers that the replay has no counterpart for. */
function shownMissing(missing: readonly Missing[]): string[] {
  const lines = missing
    .slice(0, MISSING_MAX)
    .map(({ id, call }) =>
      call === null
        ? `its request names ${id}, which no call of the trace gave`
        : `its request names ${id}, which call ${call} gave, but not this time`,
    );
  const more = missing.length - MISSING_MAX;
  return more > 0 ? [...lines, `and ${more} more of that kind`] : lines;
}
