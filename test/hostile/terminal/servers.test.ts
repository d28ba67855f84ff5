import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ANSWER_MS, JOURNAL_BYTES_MAX, WORK_MS } from '../../../src/node/remote/call-server.js';
import { OTHER_MS, SERVER_MS } from '../../../src/node/doctor/server.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { folder, temporaryFolder } from '../../support/folder.js';
import { freePort } from '../../support/socket.js';
import { commandLine, type Printed } from './command-line.js';
import { SERVERS, SILENT } from './servers.js';
import { answeringJson, type Behaviour, standIn } from './stand-in.js';
import { TRACE } from './trace.js';

const files = temporaryFolder();
const trace = join(files, 'trace.json');
writeFileSync(trace, JSON.stringify(TRACE));

/** Each verb that calls a server, with the words of a command line for it. */
const VERBS: Readonly<Record<string, (url: string) => string[]>> = {
  doctor: (url) => ['doctor', '--url', url],
  reset: (url) => ['reset', '--url', url],
  advance: (url) => ['advance', '1h', '--url', url],
  journal: (url) => ['journal', '--url', url],
  health: (url) => ['health', '--url', url],
  bundle: (url) => ['bundle', join(files, 'bundle.json'), '--url', url],
  replay: (url) => ['replay', trace, '--against', url],
};

/** A sentence for people, and exit code 1; never a stack. */
function expectSentence(printed: Printed | undefined, says: RegExp): void {
  const { code, stdout, stderr } = printed ?? { code: 0, stdout: '', stderr: '' };
  expect(stdout + stderr).toMatch(says);
  expect(stdout + stderr).not.toMatch(/^\s+at |TypeError|undefined|\[object/m);
  expect(code).toBe(1);
}

/** Calls a server with all verbs at once, since some of them wait. */
function expectSentences(urlOf: () => Promise<string>, says: RegExp, limitMs?: number): void {
  let printed: ReadonlyMap<string, Printed>;
  beforeAll(async () => {
    const url = await urlOf();
    const all = Object.entries(VERBS).map(
      async ([verb, words]) => [verb, await commandLine(words(url), {}, limitMs)] as const,
    );
    printed = new Map(await Promise.all(all));
  });
  test.each(Object.keys(VERBS))('%s', (verb) => expectSentence(printed.get(verb), says));
}

async function served(behaviour: Behaviour): Promise<string> {
  const { url, close } = await standIn(behaviour);
  afterAll(close);
  return url;
}

/** No server of these tests answers, so each waits this long. */
const SILENT_MS = 100;
const LATE = /did not answer within|not complete within|no answer within/;

describe.each(Object.entries(SILENT))('called on %s, a verb gives up with a sentence:', (_, behaviour) => {
  expectSentences(() => served(behaviour), LATE, SILENT_MS);
});

describe.each(Object.entries(SERVERS))('called on %s, a verb says so:', (_, [behaviour, says]) => {
  expectSentences(() => served(behaviour), says);
});

describe('called on a port on which nothing listens, a verb says so:', () => {
  expectSentences(
    async () => `http://127.0.0.1:${await freePort()}`,
    /no server at http|cannot connect to http/,
  );
});

/** A server that ends with the test. */
async function servedHere(behaviour: Behaviour): Promise<string> {
  const { url, close } = await standIn(behaviour);
  onTestFinished(close);
  return url;
}

test.each(['doctor', 'reset', 'advance', 'bundle'])(
  '%s says what is missing in the second answer, where the first was right',
  async (verb) => {
    const first = { Version: '9.9.9', Node: 'v1', Uptime: 1, Worlds: 1 };
    const bodyOf = (path: string): object => (path === '/_sandbox/health' ? first : { Ran: [{}] });
    const url = await servedHere(answeringJson(bodyOf));
    expectSentence(await commandLine(VERBS[verb]?.(url) ?? []), /returned unexpected JSON: \S+ is required/);
  },
);

test('a redirect is not followed, because it would take the key elsewhere', async () => {
  let calls = 0;
  const elsewhere = await servedHere((socket) => {
    calls++;
    socket.end();
  });
  const url = await servedHere((socket) =>
    socket.end(`HTTP/1.1 307 x\r\nLocation: ${elsewhere}\r\nContent-Length: 0\r\n\r\n`),
  );
  for (const words of Object.values(VERBS)) await commandLine(words(url));
  expect(calls).toBe(0);
});

test('a bundle of which a part does not come is not written', async () => {
  const file = join(folder(), 'bundle.json');
  const journal = { Version: '9.9.9', Count: 1, Evicted: 0 };
  const url = await servedHere((socket, request) => {
    if (request.startsWith('GET /_sandbox/bundle'))
      return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{');
    return answeringJson(() => journal)(socket, request);
  });
  expectSentence(await commandLine(['bundle', file, '--url', url]), /bundle ended early: aborted/);
  expect(existsSync(file)).toBe(false);
});

test('a verb waits at most 4 s for a server, doctor for both of its tries, and 10 minutes for work', () => {
  expect([ANSWER_MS, WORK_MS, JOURNAL_BYTES_MAX]).toEqual([4000, 600_000, 64 * 1024 * 1024]);
  expect(SERVER_MS + OTHER_MS).toBeLessThan(ANSWER_MS);
});
