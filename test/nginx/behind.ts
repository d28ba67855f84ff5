import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startProgram, type Started } from '../node/cli/program.js';
import { freePort } from '../support/socket.js';

const ROOT = join(import.meta.dirname, '../..');
const CONFIGURATION = join(ROOT, 'integrations/nginx/playmoney.conf');

export const hasNginx = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;

export const startServer = (port = 0): Promise<Started> => startProgram(['--port', String(port), '--quiet']);

/** Starts nginx with the configuration of the manual in front of some servers. Returns its address and process. */
export async function startNginx(
  servers: readonly Started[],
  folder: string,
): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  let text = readFileSync(CONFIGURATION, 'utf8').replace('listen 4010', `listen 127.0.0.1:${port}`);
  for (const [n, server] of servers.entries())
    text = text.replace(`127.0.0.1:${4011 + n}`, `127.0.0.1:${server.port}`);
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (of) => `${of}_temp_path ${folder}/${of};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `daemon off; ${user} pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${own.join(' ')} ${text} }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main);
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) if (child.exitCode !== null) throw new Error(printed);
  return { url, child };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/_sandbox/health`).then(
    ({ ok }) => ok,
    () => false,
  );
