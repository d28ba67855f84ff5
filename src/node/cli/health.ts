import { readFile } from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';

import { callError } from './client.js';
import { EXIT_FAILED, type Result } from './terminal.js';
import { parseCommand } from './parse.js';
import { type Environment, OptionError } from './option.js';
import { addressOf } from './start-note.js';

/** How long the server may take; container engines allow a check a few seconds. */
const TIMEOUT_MS = 2500;
/** The command line of the first process of a container. */
const FIRST_PROCESS = '/proc/1/cmdline';

/** Asks a server whether it is ready: the one at --url, or process 1 of this container. */
export async function health({ url }: { readonly url: string | null }, env: Environment): Promise<Result> {
  const address = url ?? (await ownAddress(env));
  try {
    const status = await ask(`${address}/_sandbox/ready`);
    return { text: `${address} returned ${status}\n`, exitCode: status === 200 ? 0 : EXIT_FAILED };
  } catch (error) {
    throw callError(`no server at ${address} (${(error as Error).message})`);
  }
}

/** Finds the address of this container's server from its command line and environment. */
async function ownAddress(env: Environment): Promise<string> {
  const words = (await readFile(FIRST_PROCESS, 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const program = words.findIndex((word) => /(?:^|\/)(?:cli\.js|playmoney)$/.test(word));
  const options = optionsOf(program < 0 ? [] : words.slice(program + 1), env) ?? optionsOf([], env);
  if (options === null) throw callError('cannot find the address of the server. Give it with --url');
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

/** Resolves with the status of a GET; rejects if there is no answer. */
export async function ask(url: string): Promise<number> {
  const get = url.startsWith('https:') ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    // An untrusted certificate is fine: the request contains no secret.
    const options = { timeout: TIMEOUT_MS, rejectUnauthorized: false };
    const request = get(url, options, (answer: IncomingMessage) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.once('error', reject);
  });
}
