import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeEach, describe, expect, test } from 'vitest';

import { END_MS_MAX, runProgram, type Started } from '../node/cli/program.js';
import { folder } from '../support/folder.js';
import { startingPrograms } from '../node/cli/starting.js';
import { ask, askHttp1, chargeText, JSON_KEY, KEY, openSession } from '../node/http/secure-support.js';

const run = promisify(execFile);
const startOne = startingPrograms();
let dir = '';

beforeEach(() => {
  dir = folder();
});

const start = (args: readonly string[] = [], env?: Record<string, string>): Promise<Started> =>
  startOne(['--https', '--port', '0', '--tls-dir', dir, ...args], env);

function authority(): string {
  return readFileSync(join(dir, 'ca.pem'), 'utf8');
}

/** What another program on Node sees of the health of a server, with an environment of its own. */
async function healthSeenBy(url: string, env: Record<string, string>): Promise<string> {
  const code = `fetch('${url}/_sandbox/health').then((r) => console.log(r.status), (e) => console.log(e.cause.code))`;
  return (await run(process.execPath, ['-e', code], { env })).stdout.trim();
}

describe('--https', () => {
  test('serves at the address of the ready line, and the note says how clients can trust it', async () => {
    const { url, port, printed, until } = await start();
    expect(printed.stdout).toBe(`playmoney listening on https://127.0.0.1:${port}\n`);
    await until('stderr', "}'\n");
    const [, file = ''] = /^ {2}NODE_EXTRA_CA_CERTS=(\S+)$/m.exec(printed.stderr) ?? [];
    expect(file).toBe(join(dir, 'ca.pem'));
    for (const address of [url, `https://localhost:${port}`]) {
      expect(await healthSeenBy(address, { NODE_EXTRA_CA_CERTS: file })).toBe('200');
    }
    expect(await healthSeenBy(url, {})).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(printed.stderr).toContain(`curl --cacert ${file} ${url}/charge/card `);
    expect(printed.stderr).not.toContain('PRIVATE');
  });

  test('without --tls-dir the certificates are in the data folder of the user', async () => {
    const env = { PLAYMONEY_HTTPS: '1', XDG_DATA_HOME: dir, HOME: dir };
    const program = await startOne(['--port', '0'], env);
    await program.until('stderr', 'ca.pem\n');
    expect(program.url).toMatch(/^https:/);
    const [, file = ''] = /NODE_EXTRA_CA_CERTS=(\S+)$/m.exec(program.printed.stderr) ?? [];
    expect(file.startsWith(dir)).toBe(true);
    expect((await askHttp1(`${program.url}/_sandbox/health`, readFileSync(file, 'utf8'))).status).toBe(200);
  });

  test('a folder that cannot be used: 2, and one line', async () => {
    writeFileSync(join(dir, 'ca-key.pem'), 'nonsense');
    for (const [place, reason] of [
      [dir, 'does not contain a certificate and its private key. Delete it'],
      [join(dir, 'ca-key.pem'), 'a part of its path is a file'],
    ] as const) {
      const ended = await runProgram(['--https', '--port', '0', '--tls-dir', place]).ended;
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(/^playmoney: [^\n]*--tls-dir\n$/);
      expect(ended.stderr).toContain(reason);
    }
  });

  test('clients that do not trust it cause one line, and no line with --quiet', async () => {
    for (const quiet of [[], ['--quiet']]) {
      const program = await start(quiet);
      for (let call = 0; call < 3; call++) await healthSeenBy(program.url, {});
      expect((await askHttp1(`${program.url}/_sandbox/health`, authority())).status).toBe(200);
      program.child.kill('SIGTERM');
      const { code, stderr } = await program.ended;
      const lines = stderr.split('\n').filter((line) => line.includes('aborted its TLS handshake'));
      expect([code, lines.length]).toEqual([0, quiet.length === 0 ? 1 : 0]);
      if (quiet.length === 0) expect(lines[0]).toContain(`NODE_EXTRA_CA_CERTS=${join(dir, 'ca.pem')}`);
    }
  });

  test('requests of both versions are logged alike, without keys and cards', async () => {
    const { url, child, ended } = await start(['--quiet', '--log', 'json']);
    const session = await openSession(url, authority());
    await ask(session, '/charge/card', JSON_KEY, chargeText());
    await ask(session, '/charge/card', JSON_KEY, chargeText('4000000000004087'));
    session.destroy();
    await askHttp1(`${url}/charge?Reference=x`, authority());
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ Method, Path, Status }) => [Method, Path, Status])).toEqual([
      ['POST', '/charge/card', 201],
      ['POST', '/charge/card', null],
      ['GET', '/charge', 200],
    ]);
    for (const secret of ['4242', '4087', 'sk_test', 'PRIVATE']) expect(stderr).not.toContain(secret);
  });
});

describe('signals', () => {
  test('SIGTERM while one request hangs and another sends its body: 0', async () => {
    const program = await start(['--quiet']);
    const session = await openSession(program.url, authority());
    const hanging = ask(session, '/charge', { ...KEY, 'x-sandbox-fault': 'hang' });
    const sending = session.request({ ':path': '/charge/card', ':method': 'POST', ...JSON_KEY });
    sending.on('error', () => {}).write('{');
    await ask(session, '/charge');
    const begun = performance.now();
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(END_MS_MAX);
    expect((await hanging).status).toBe(0);
  });
});

describe('verbs that speak to a running server', () => {
  test('reach one over HTTPS, and say how where they do not trust it', async () => {
    const { url } = await start(['--quiet']);
    const trust = { NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem') };
    expect(await runProgram(['reset', '--url', url], trust).ended).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await runProgram(['reset', '--url', url]).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `playmoney: the certificate of ${url} is not trusted. Set NODE_EXTRA_CA_CERTS to the file that the server prints at its start\n`,
    );
    const plain = await runProgram(['reset', '--url', url.replace('https:', 'http:')]).ended;
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('This port serves HTTPS') });
  });
});
