import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { CommandError } from '../../../src/node/terminal/terminal.js';
import type { ReplayOptions } from '../../../src/node/options/replay-options.js';
import { runReplay } from '../../../src/node/replay/replay.js';
import type { HttpListening } from '../../../src/node/http/serve.js';
import type { Scenario } from '../../../src/scenarios/script/model.js';
import { parseScenario } from '../../../src/scenarios/file/schema.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { folder } from '../../support/folder.js';
import { sandboxServed } from '../../support/serving.js';
import { initOf } from '../../support/trace.js';

export const RECORDED_KEY = 'sk_test_recorded';
/** Where `replayed` sends its calls, as a replay says it. */
export const AGAIN = 'to the world ec14b0e00b7c of sk_test_again';

/** A file with a text or some JSON, which goes with the test. */
export function fileWith(content: unknown, name = 'trace.json'): string {
  const file = join(folder(), name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** A server of its own for a test, under a manual clock unless told otherwise. */
export const server = (
  options: InnerSandboxOptions = {},
  host = NODE_HOST,
): ReturnType<typeof sandboxServed> => sandboxServed(options, {}, host);

export interface Sent {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export type Send = (request: string, body?: unknown, headers?: Record<string, string>) => Promise<Sent>;

/** Calls a server, such as `POST /charge/card`; status 0 where no whole answer came. */
export function sender({ url }: Pick<HttpListening, 'url'>, key = RECORDED_KEY): Send {
  return async (request, body, headers = {}) => {
    const [method = '', path = ''] = request.split(' ');
    try {
      const response = await fetch(url + path, initOf(key, { method, body, headers }));
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      const parsed = isJson && text.startsWith('{') ? (JSON.parse(text) as Sent['body']) : {};
      return { status: response.status, body: parsed, text };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { status: 0, body: {}, text: '' };
    }
  };
}

/** A scenario as a file would define it. */
export function scenarioOf(definition: object): Scenario {
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(JSON.stringify(parsed.issues));
}

/** The trace of all that was sent with a key, as a file. */
export async function traceOf(recorded: HttpListening, key = RECORDED_KEY): Promise<string> {
  const { text } = await sender(recorded, key)('GET /_sandbox/journal/export?Format=trace');
  return fileWith(text);
}

/** Plays calls on a server, and replays them on another, each with options of its own. */
export async function playAgain(
  play: (send: Send) => Promise<unknown>,
  {
    by = {},
    on = {},
    ...options
  }: Partial<ReplayOptions> & { by?: InnerSandboxOptions; on?: InnerSandboxOptions } = {},
): Promise<Replayed> {
  const recorded = await server(by);
  await play(sender(recorded));
  return replayed(await traceOf(recorded), await server(on), options);
}

export interface Replayed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly progress: string;
}

/** Replays a file, and gives back what was printed. */
export async function replayed(
  file: string,
  { url }: Pick<HttpListening, 'url'>,
  options: Partial<ReplayOptions> = {},
): Promise<Replayed> {
  const printed = { out: '', err: '', progress: '' };
  const { exitCode = 0 } = await runReplay(
    file,
    {
      against: url,
      key: 'sk_test_again',
      adminToken: null,
      ca: null,
      timeout: 60_000,
      moveClock: false,
      ignores: [],
      ...options,
    },
    {
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
      progress: {
        note: (_work, done, total) => {
          if (done % 100 === 0) printed.progress += `${done} of ${total} calls\n`;
        },
        hide: () => {},
      },
    },
  ).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    printed.err += `playmoney: ${error.message}\n`;
    return error;
  });
  return { code: exitCode, ...printed };
}
