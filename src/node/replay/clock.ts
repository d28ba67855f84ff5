import { isObject } from '../../core/text.js';
import { formatInstant, parseInstant } from '../../core/time.js';
import { CommandError } from '../cli/command-error.js';
import { sendCall, type Target } from '../cli/send.js';
import { type Trace } from './trace.js';

/** Moves the manual clock of a sandbox along with the recorded one. */
export interface ClockMover {
  /** Moves to where the recorded clock stood at an instant; never back. */
  readonly to: (at: number) => Promise<void>;
}

/**
 * Asks a sandbox for its clock, which must be manual. A recorded clock that stood still or was scaled began where
 * those of sandboxes do, so the instants are taken as they are; where the sandbox is later than that, and for
 * recordings in real time, the time between the calls counts.
 */
export async function clockMover(
  target: Target,
  adminToken: string | null,
  trace: Trace,
): Promise<ClockMover> {
  const control = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const headers = {
      'content-type': 'application/json',
      ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
    };
    const reply = await sendCall(target, { method, path, headers, body: body ? JSON.stringify(body) : null });
    const answer = reply.kind === 'whole' && reply.status === 200 ? parsed(reply.text ?? '') : null;
    if (answer !== null) return answer;
    const how = reply.kind === 'none' ? reply.reason : `status ${reply.status}`;
    throw new CommandError(`--move-clock: ${target.url}${path} gave no answer of a sandbox (${how})`);
  };
  const { Mode, Now } = await control('GET', '/_sandbox/clock');
  if (Mode !== 'manual') {
    throw new CommandError(
      `--move-clock moves a manual clock, but that of this world is ${JSON.stringify(Mode)}; start the sandbox with --clock manual`,
    );
  }
  const begun = parseInstant(String(Now)) ?? 0;
  const first = trace.entries[0]?.at ?? begun;
  const shift = trace.clockMode !== 'real' && begun <= first ? 0 : begun - first;
  let now = begun;
  return {
    to: async (at) => {
      if (at + shift <= now) return;
      now = at + shift;
      await control('POST', '/_sandbox/clock/advance', { To: formatInstant(now) });
    },
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
