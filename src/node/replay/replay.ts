import { shownKey } from '../../core/secrets.js';
import { count, isObject, parsedJson, quoted } from '../../core/text.js';
import { formatDuration, formatInstant, parseInstant } from '../../core/time.js';
import { ANSWER_MS, callError, worldOf } from '../cli/client.js';
import type { ReplayOptions } from '../cli/replay-options.js';
import { CommandError, EXIT_FAILED, linesOf, type Output, type Result } from '../cli/terminal.js';
import type { Progress } from '../cli/terminal-progress.js';
import type { JsonObject } from '../state/json-file.js';
import { FileError, readText } from '../state/whole-file.js';
import { Causes } from './causes.js';
import { diffReply, outgoing, unsendable } from './call.js';
import { Correspondence, type Missing } from './correspondence.js';
import { shownDifferences } from './diff.js';
import { type Reply, sendCall, type Target } from './send.js';
import { readTraceFile, type Trace, type TraceEntry } from './trace.js';

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
export async function replay(
  file: string,
  options: ReplayOptions,
  output: ReplayOutput,
  limitMs = ANSWER_MS,
): Promise<Result> {
  const trace = await readTraceFile(file);
  const { against: url, key, timeout: timeoutMs, adminToken } = options;
  const target = { url, key, timeoutMs, ca: options.ca === null ? null : await certificatesIn(options.ca) };
  if (trace.entries.length > 0) output.err(linesOf(await usedNote(target, adminToken, limitMs)));
  const moveClock = options.moveClock ? await clockMover(target, adminToken, trace) : null;
  return new Replay(trace, target, moveClock, new Set(options.ignores), output).run();
}

/** Reads the certificates (PEM) in a file; rejects with a FileError if there are none. */
export async function certificatesIn(file: string): Promise<string> {
  const text = await readText(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new FileError(`${file} has no certificate (PEM)`);
}

/** Calls the control plane of the target. */
async function control(
  target: Target,
  adminToken: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly answer: JsonObject | null; readonly reply: Reply }> {
  const headers = {
    'content-type': 'application/json',
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
  const reply = await sendCall(target, { method, path, headers, body: body ? JSON.stringify(body) : null });
  const answer = reply.kind === 'whole' && reply.status === 200 ? parsedJson(reply.text ?? '') : null;
  return { answer: isObject(answer) ? answer : null, reply };
}

/** Warns if the target's world has had calls already, which change its answers. No line if it is fresh, or no sandbox. */
async function usedNote(target: Target, adminToken: string | null, limitMs: number): Promise<string[]> {
  const quick = { ...target, timeoutMs: Math.min(target.timeoutMs, limitMs) };
  const { answer, reply } = await control(quick, adminToken, 'GET', '/_sandbox/journal?Limit=1');
  // Otherwise each call would wait for an answer in the same way.
  if (reply.kind !== 'whole') {
    throw callError(
      `${target.url} accepted the connection, but gave no complete answer (${reply.reason}). Give the address of a sandbox or of the service with --against`,
    );
  }
  const calls = Number(answer?.['Count'] ?? 0) + Number(answer?.['Evicted'] ?? 0);
  if (!(calls > 0)) return [];
  const world = worldOf(reply.world, target.key);
  return [
    `Warning: ${world} is not fresh: it already had ${count(calls, 'call')}, so its answers may differ. Replay with a fresh key: --key sk_test_…`,
  ];
}

/** Moves the manual clock to the instant that corresponds to a recorded one; never back. */
type MoveClock = (at: number) => Promise<void>;

/**
 * Asks a sandbox for its clock, which must be manual. A recorded clock that was manual or scaled started at the default
 * instant of sandboxes, so its instants are used as they are. If the sandbox is already later, or the recording was in
 * real time, only the time between the calls is used.
 */
async function clockMover(target: Target, adminToken: string | null, trace: Trace): Promise<MoveClock> {
  const ask = async (method: string, path: string, body?: object): Promise<JsonObject> => {
    const { answer, reply } = await control(target, adminToken, method, path, body);
    if (answer !== null) return answer;
    const how = reply.kind === 'none' ? reply.reason : `status ${reply.status}`;
    throw new CommandError(
      `--move-clock: ${target.url} did not answer like a sandbox: ${path} failed (${how})`,
    );
  };
  const { Mode, Now } = await ask('GET', '/_sandbox/clock');
  if (Mode !== 'manual') {
    throw new CommandError(
      `--move-clock needs a manual clock, but the clock of this world is ${quoted(String(Mode))}. Start the sandbox with --clock manual`,
    );
  }
  const begun = parseInstant(String(Now)) ?? 0;
  const first = trace.entries[0]?.at ?? begun;
  const shift = trace.clockMode !== 'real' && begun <= first ? 0 : begun - first;
  let now = begun;
  return async (at) => {
    if (at + shift <= now) return;
    now = at + shift;
    await ask('POST', '/_sandbox/clock/advance', { To: formatInstant(now) });
  };
}

class Replay {
  readonly #ids = new Correspondence();
  readonly #causes = new Causes();
  #alike = 0;
  #different = 0;
  #unsent = 0;
  /** The name of the sandbox's world; null until a sandbox has answered. */
  #world: string | null = null;

  constructor(
    private readonly trace: Trace,
    private readonly target: Target,
    private readonly moveClock: MoveClock | null,
    private readonly ignored: ReadonlySet<string>,
    private readonly output: ReplayOutput,
  ) {}

  async run(): Promise<Result> {
    const { entries, evicted } = this.trace;
    const { err, progress } = this.output;
    if (evicted > 0)
      err(
        linesOf([
          `The trace is incomplete: the journal had already dropped ${count(evicted, 'earlier call')}.`,
        ]),
      );
    for (const [n, entry] of entries.entries()) {
      await this.moveClock?.(entry.at);
      await this.#play(n + 1, entry);
      this.#ids.note(n + 1, entry.response);
      progress.note('replaying calls', n + 1, entries.length);
    }
    // A single difference is already shown with its call.
    if (this.#different > 1 || this.#causes.size > 1)
      this.#say('by cause (recorded → now)', ...this.#causes.lines());
    this.#say(this.#summary());
    if (this.#alike === entries.length) return {};
    this.#hint();
    return { exitCode: EXIT_FAILED };
  }

  /** Hides the progress before it prints. */
  #say(...lines: readonly string[]): void {
    this.output.progress.hide();
    this.output.out(linesOf(lines));
  }

  async #play(call: number, entry: TraceEntry): Promise<void> {
    const reason = unsendable(entry);
    if (reason !== null) {
      this.#unsent++;
      return this.#say(this.#head(call, entry), `    not sent: ${reason}`);
    }
    const { call: sent, missing } = outgoing(entry, this.#ids);
    const reply = await sendCall(this.target, sent);
    if (reply.kind === 'whole') this.#world ??= reply.world;
    const differences = diffReply(entry, reply, this.#ids, this.ignored);
    if (differences.length === 0) {
      this.#alike++;
      return;
    }
    this.#different++;
    this.#causes.add(call, entry, differences, missing.length > 0);
    const details = [...shownDifferences(differences), ...shownMissing(missing)];
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
    const whose = this.#world === null ? `with ${shownKey(key)}` : `to ${worldOf(this.#world, key)}`;
    return `${count(this.trace.entries.length, 'call')} ${whose}: ${parts.join(', ')}.`;
  }

  /** Suggests --move-clock, since the clock is the most frequent cause of differences. */
  #hint(): void {
    const { entries } = this.trace;
    const spanMs = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0);
    if (this.moveClock !== null || spanMs <= 0) return;
    this.output.err(
      linesOf([
        `The recorded clock moved by ${formatDuration(spanMs)} between the first call and the last. Use --move-clock to move the clock of a sandbox in the same way.`,
      ]),
    );
  }
}

/** Identifiers without a counterpart, which may be why a call failed. */
function shownMissing(missing: readonly Missing[]): string[] {
  const lines = missing.slice(0, MISSING_MAX).map(({ id, call }) => {
    const giver =
      call === null
        ? 'which no call of the trace returned'
        : `which call ${call} returned, but not this time`;
    return `its request contains ${id}, ${giver}`;
  });
  const more = missing.length - MISSING_MAX;
  return more > 0 ? [...lines, `and ${count(more, 'more identifier')}`] : lines;
}
