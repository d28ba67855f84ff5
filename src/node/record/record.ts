import { formatCount, quoteForShell } from '../../core/text/text.js';
import { formatAddress, isLoopbackHost } from '../cli/start/start-note.js';
import { followParent } from '../exec/child.js';
import { requireNew, requireWritable, writeNew } from '../files/whole-file.js';
import { NODE_HOST } from '../machine/host.js';
import type { RecordOptions } from '../options/replay-options.js';
import { onEndingSignal } from '../terminal/signals.js';
import {
  CommandError,
  EXIT_FAILED,
  formatLines,
  type Output,
  type VerbResult,
} from '../terminal/terminal.js';
import { openProxy } from './open-proxy.js';
import type { PassedCall } from './proxy.js';
import { Recording } from './recording.js';

const OPEN_TO_OTHERS = 'lets other machines use this proxy, and the upstream through it.';

type WaitForEnd = (port: number) => Promise<void>;

/** Forwards calls to another server until `ending` resolves, then writes them as a trace into a new file. Rejects with a CommandError. */
export async function runRecord(
  options: RecordOptions,
  output: Output,
  ending: WaitForEnd,
): Promise<VerbResult> {
  const { upstream: url, out: file } = options;
  await requireNew(file, 'trace');
  await requireWritable(file);
  const recording = new Recording();
  const proxy = await openProxy(options, output, (passed) => keepCall(recording, passed, output));
  const { port } = proxy;
  output.out(formatLines([`playmoney listening on ${formatAddress({ ...options, https: false })}:${port}`]));
  if (!isLoopbackHost(options.host))
    output.err(formatLines([`Warning: --host ${options.host} ${OPEN_TO_OTHERS}`]));
  const note = `Forwards calls to ${url}. Ctrl+C (SIGINT or SIGTERM) ends it and writes ${file}.`;
  output.err(formatLines([note]));
  await ending(port);
  await proxy.close();
  output.err(formatLines(recording.lossLines.map((line) => `playmoney: ${line}`)));
  return writeRecording(recording, file, url);
}

function keepCall(recording: Recording, passed: PassedCall, { err }: Output): void {
  const isFirstLeft = recording.left === 0;
  recording.keep(passed, NODE_HOST.now());
  if (isFirstLeft && recording.left > 0) {
    const calls = formatCount(recording.calls, 'call');
    const full = `the trace is full after ${calls}; later calls are forwarded but not recorded`;
    err(formatLines([`playmoney: ${full}`]));
  }
}

async function writeRecording(recording: Recording, file: string, url: string): Promise<VerbResult> {
  const { calls, left } = recording;
  if (calls === 0) throw new CommandError(`no calls were recorded, so ${file} was not written`, EXIT_FAILED);
  await writeNew(file, 'trace', (write) => recording.write(write, NODE_HOST.now()));
  const more = left === 0 ? '' : `; ${formatCount(left, 'later call')} not recorded`;
  const next = `playmoney replay ${quoteForShell(file)} --against http://127.0.0.1:4010`;
  const text = `${file}: ${formatCount(calls, 'call')} to ${url}${more}. Send them to a sandbox with: ${next}`;
  return { text: formatLines([text]) };
}

/** Resolves at the first signal that ends a program, or when the parent process has ended. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    onEndingSignal(resolve);
    followParent(resolve);
  });
}
