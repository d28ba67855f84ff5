import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { RecordOptions } from '../../../src/node/options/replay-options.js';
import { CommandError } from '../../../src/node/terminal/terminal.js';
import { runRecord } from '../../../src/node/record/record.js';
import { folder } from '../../support/folder.js';

export interface Recorded {
  readonly file: string;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Records what `play` sends to the proxy, which is told where it listens. */
export async function recorded(
  upstream: string,
  play: (proxy: string) => Promise<void>,
  options: Partial<RecordOptions> = {},
): Promise<Recorded> {
  const file = options.out ?? join(folder(), 'trace.json');
  const printed = { out: '', err: '' };
  const door = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] };
  const given = { upstream, out: file, port: 0, ca: null, timeout: 60_000, ...door, ...options };
  const output = {
    out: (text: string) => (printed.out += text),
    err: (text: string) => (printed.err += text),
  };
  const end = await runRecord(given, output, (port) => play(`http://127.0.0.1:${port}`)).catch(
    (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      printed.err += `playmoney: ${error.message}\n`;
      return { exitCode: error.exitCode, text: '' };
    },
  );
  const { exitCode = 0, text = '' } = end;
  return { file, code: exitCode, out: printed.out + text, err: printed.err };
}

/** The entries of a trace, as they stand in its file. */
export function entriesIn(file: string): readonly Readonly<Record<string, unknown>>[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { Entries: Record<string, unknown>[] }).Entries;
}
