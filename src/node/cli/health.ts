import { readFile } from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';

import { callError } from './client.js';
import { EXIT_FAILED, type Result } from './terminal.js';
import { parseCommand } from './parse.js';
import { type Environment, OptionError } from './option.js';
import { addressOf } from './start-note.js';

/** How long the server may take: a container's engine gives a check some seconds. */
const TIMEOUT_MS = 2500;
/** What process 1 of a container was started with. */
const FIRST_PROCESS = '/proc/1/cmdline';

/** Asks a server whether it is ready: that of --url, or process 1 of this container. */
export async function health({ url }: { readonly url: string | null }, env: Environment): Promise<Result> {
  const address = url ?? (await ownAddress(env));
  try {
    const status = await ask(`${address}/_sandbox/ready`);
    return { text: `${address} answers ${status}\n`, exitCode: status === 200 ? 0 : EXIT_FAILED };
  } catch (error) {
    throw callError(`nothing answers at ${address} (${(error as Error).message})`);
  }
}

/** Where the server of this container is, by its command line and environment. */
async function ownAddress(env: Environment): Promise<string> {
  const words = (await readFile(FIRST_PROCESS, 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const program = words.findIndex((word) => /(?:^|\/)(?:cli\.js|playmoney)$/.test(word));
  const options = optionsOf(program < 0 ? [] : words.slice(program + 1), env) ?? optionsOf([], env);
  if (options === null) throw callError('it is not known where the server is; say it with --url');
  return `${addressOf(options)}:${options.port}`;
}

function optionsOf(words: readonly string[], env: Environment) {
  try {
    const command = parseCommand(words, env);
    return command.verb === 'start' || command.verb === 'open' ? command.options : null;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return null;
  }
}

/** The status of a GET; rejects where nothing answers. */
export async function ask(url: string): Promise<number> {
  const get = url.startsWith('https:') ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    // It need not be trusted: the request holds nothing that is worth knowing.
    const options = { timeout: TIMEOUT_MS, rejectUnauthorized: false };
    const request = get(url, options, (answer: IncomingMessage) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.once('error', reject);
  });
}
