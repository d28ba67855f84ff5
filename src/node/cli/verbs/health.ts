import { readFile } from 'node:fs/promises';

import * as z from 'zod';

import { callServer, buildCallError } from '../../remote/call-server.js';
import { formatLines, type VerbResult } from '../../terminal/terminal.js';
import { parseCommand } from '../parse.js';
import { type EnvVariables, OptionError } from '../../options/option.js';
import { formatAddress } from '../start/start-note.js';

/** Container engines give a health check a few seconds. */
const READY_MS = 2500;
/** The command line of the first process of a container. */
const FIRST_PROCESS = '/proc/1/cmdline';

/** Asks a server whether it is ready: the one at --url, or process 1 of this container. Rejects with a CommandError. */
export async function runHealth(
  { url }: { readonly url: string | null },
  env: EnvVariables,
): Promise<VerbResult> {
  const address = url ?? (await findContainerAddress(env));
  await requireReady(address);
  return { text: formatLines([`${address} returned 200`]) };
}

/** Rejects with a CommandError unless a playmoney server answers that it is ready. It may have any certificate. */
export async function requireReady(url: string, limitMs = READY_MS): Promise<void> {
  const server = { url, key: null, adminToken: null };
  await callServer(server, { path: '/_sandbox/ready', schema: z.object({ Status: z.string() }), limitMs });
}

/** Finds the address of this container's server from its command line and environment. */
async function findContainerAddress(env: EnvVariables): Promise<string> {
  const words = (await readFile(FIRST_PROCESS, 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const program = words.findIndex((word) => /(?:^|\/)(?:cli\.js|playmoney)$/.test(word));
  const options = healthOptions(program < 0 ? [] : words.slice(program + 1), env) ?? healthOptions([], env);
  if (options === null) throw buildCallError('cannot find the address of the server. Give it with --url');
  return `${formatAddress(options)}:${options.port}`;
}

function healthOptions(words: readonly string[], env: EnvVariables) {
  try {
    const command = parseCommand(words, env);
    return command.verb === 'start' || command.verb === 'open' ? command.options : null;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return null;
  }
}
