import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';

import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import type { Post } from '../../../src/core/post.js';
import { WebhookSender } from '../../../src/node/webhooks/send-thread.js';
import { createSender } from '../../../src/node/webhooks/send.js';
import { OWN_PORTS } from '../../../src/node/webhooks/own-ports.js';
import { temporaryFolder } from '../../support/folder.js';
import { portOf, receiver } from '../../support/serving.js';
import { freePort } from '../../support/socket.js';

/** As it is published. */
const WORKER = new URL('../../../dist/chunks/deliver-worker.js', import.meta.url);
const ABSENT = new URL('no-such-file.js', import.meta.url);

/** The threads that were made. */
const made: Worker[] = [];
const note = (worker: Worker): void => void made.push(worker);
const folder = temporaryFolder();

beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));
afterEach(async () => {
  await Promise.all(made.splice(0).map((worker) => worker.terminate()));
});

/** A file that runs on the thread in place of ours. */
function workerOf(name: string, code: string): URL {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `import { parentPort, threadId } from 'node:worker_threads';\n${code}`);
  return pathToFileURL(file);
}

const post = (url: string, more: Partial<Post> = {}): Post => ({
  url,
  headers: { 'content-type': 'application/json', authorization: 'Basic jö:ß' },
  body: '{"a":"ü"}',
  reach: 'private',
  signal: new AbortController().signal,
  ...more,
});

/** One whose thread has started, and how many messages that was sent since. */
async function threaded(worker = WORKER) {
  const deliverer = new WebhookSender(worker);
  const sent = await started(deliverer);
  return { deliverer, sent };
}

/** Starts the thread of a deliverer. */
async function started(deliverer: WebhookSender): Promise<() => number> {
  await deliverer.prepare();
  const sent = vi.spyOn(made.at(-1) as Worker, 'postMessage');
  return () => sent.mock.calls.length;
}

describe('deliveries on a thread of their own', () => {
  test('send what deliveries on the first thread send, name and password of the URL included', async () => {
    const { port, got } = await receiver();
    const url = `http://jo:s3cret@127.0.0.1:${port}/a/b?c=d`;
    const { authorization: _, ...headers } = post(url).headers;
    const { deliverer, sent } = await threaded();
    for (const one of [post(url), post(url, { headers })]) {
      expect(await deliverer.deliver(one)).toMatchObject({ status: 204 });
      expect(await createSender()(one)).toMatchObject({ status: 204 });
      const [there, here] = got.splice(0);
      expect(there).toEqual(here);
    }
    expect([made.length, sent()]).toEqual([1, 2]);
  });

  test('go to no port of the process, whenever that was opened, and to no metadata address', async () => {
    const { port, got } = await receiver();
    const { deliverer, sent } = await threaded();
    const deliver = (url: string): Promise<unknown> => deliverer.deliver(post(url));
    expect(await deliver(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 204 });
    OWN_PORTS[port] = 1;
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await deliver(`http://${host}:${port}/`)).toEqual({ withheld: 'it is the sandbox itself' });
    }
    OWN_PORTS[port] = 0;
    expect(await deliver(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 204 });
    expect(await deliver('http://169.254.169.254/')).toMatchObject({
      withheld: expect.stringContaining('metadata') as string,
    });
    expect(await deliver('http://93.184.216.34/')).toMatchObject({
      withheld: expect.stringContaining('public') as string,
    });
    expect([got.length, made.length, sent()]).toEqual([2, 1, 7]);
  });

  test('fail with the reason, for a name that nobody knows as well', async () => {
    const port = await freePort();
    const { deliverer, sent } = await threaded();
    expect(await deliverer.deliver(post(`http://127.0.0.1:${port}/`))).toEqual({
      failed: 'nothing listens at its address and port (ECONNREFUSED)',
    });
    expect(await deliverer.deliver(post('http://nobody.invalid/'))).toMatchObject({
      failed: 'its name is unknown (ENOTFOUND)',
    });
    expect(sent()).toBe(2);
  });

  test('are broken off, and let go of their connection', async () => {
    const silent = createTcp((socket) => socket.on('error', () => {}).resume());
    const port = await portOf(silent);
    const time = new AbortController();
    const { deliverer, sent } = await threaded();
    const under = deliverer.deliver(post(`http://127.0.0.1:${port}/`, { signal: time.signal }));
    const [socket] = (await once(silent, 'connection')) as [NodeJS.EventEmitter];
    const closed = once(socket, 'close');
    time.abort();
    expect(await under).toEqual({ failed: 'it was aborted' });
    await closed;
    const late = deliverer.deliver(post(`http://127.0.0.1:${port}/`, { signal: time.signal }));
    expect(await late).toEqual({ failed: 'it was aborted' });
    expect(sent()).toBe(2);
  });

  test('end with the thread when the last sandbox rests, and go on with another one', async () => {
    const { port } = await receiver();
    const deliverer = new WebhookSender(WORKER);
    for (let n = 0; n < 2; n++) {
      await started(deliverer);
      expect(await deliverer.deliver(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 204 });
      expect(made).toHaveLength(n + 1);
      deliverer.endIfIdle();
      expect(await once(made[n] as Worker, 'exit')).toEqual([0]);
    }
    deliverer.endIfIdle();
  });

  test('keep the thread while somebody else has one under way', async () => {
    const worker = workerOf(
      'slow',
      `parentPort.postMessage('ready');
       let first;
       parentPort.on('message', ({ id }) => {
         if (first === undefined) return (first = id);
         parentPort.postMessage({ id: first, posted: { status: 200 } });
         parentPort.postMessage({ id, posted: { status: 200 } });
       });`,
    );
    const { deliverer } = await threaded(worker);
    const first = deliverer.deliver(post('http://127.0.0.1:1/'));
    await Promise.resolve();
    deliverer.endIfIdle();
    expect(await deliverer.deliver(post('http://127.0.0.1:1/'))).toMatchObject({ status: 200 });
    expect(await first).toMatchObject({ status: 200 });
    expect(made).toHaveLength(1);
  });

  test('begin with the first one, which the main thread could change by a patch of node:http', async () => {
    const { port, got } = await receiver();
    const patched = vi.spyOn(http, 'request').mockImplementation(() => {
      throw new Error('a mock of HTTP has this request');
    });
    onTestFinished(() => patched.mockRestore());
    const deliverer = new WebhookSender(WORKER);
    await deliverer.prepare();
    expect(await deliverer.deliver(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      status: 204,
    });
    expect([got.length, made.length]).toEqual([1, 1]);
  });

  test('can be prepared, so that no time of the first one is lost', async () => {
    const deliverer = new WebhookSender(WORKER);
    await deliverer.prepare();
    expect(made).toHaveLength(1);
    deliverer.endIfIdle();
    // A thread that was asked to rest is not waited for, and the next delivery has another one.
    const again = new WebhookSender(WORKER);
    const prepared = again.prepare();
    again.endIfIdle();
    await prepared;
    expect(await again.deliver(post('http://169.254.169.254/'))).toHaveProperty('withheld');
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toHaveLength(3);
  });

  test('have the status that had arrived when their time is over', async () => {
    const { port } = await receiver((response) => response.writeHead(200).flushHeaders());
    const { deliverer } = await threaded();
    const time = new AbortController();
    const under = deliverer.deliver(post(`http://127.0.0.1:${port}/`, { signal: time.signal }));
    // Less than the time that an answer waits for its body.
    setTimeout(() => time.abort(), 50);
    expect(await under).toMatchObject({ status: 200 });
  });
});

describe('deliveries without a thread', () => {
  test.each([
    ['the file is not there, as in sources', () => ABSENT],
    ['the thread cannot begin', () => workerOf('broken', "throw new Error('it is broken');")],
    ['the thread ends before it is ready', () => workerOf('empty', '')],
    ['the thread is not ready', () => workerOf('early', "parentPort.on('message', () => {});")],
  ])('are made on the first thread, each once, where %s', async (_, fileOf) => {
    const { port, got } = await receiver();
    const deliverer = new WebhookSender(fileOf(), 300);
    await deliverer.prepare();
    const url = `http://127.0.0.1:${port}/`;
    const both = [deliverer.deliver(post(url)), deliverer.deliver(post(url))];
    expect(await Promise.all(both)).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(await deliverer.deliver(post(url))).toMatchObject({ status: 204 });
    expect(got).toHaveLength(3);
    expect(made.length).toBeLessThanOrEqual(1);
    deliverer.endIfIdle();
  });

  test('fail where the thread died after it had read them, and are made on the first thread from then on', async () => {
    const { port, got } = await receiver();
    const dying = `parentPort.postMessage('ready'); parentPort.on('message', () => { throw new Error('it fell'); });`;
    const { deliverer } = await threaded(workerOf('dying', dying));
    const url = `http://127.0.0.1:${port}/`;
    expect(await deliverer.deliver(post(url))).toEqual({ failed: 'the delivery thread failed: it fell' });
    expect(await deliverer.deliver(post(url))).toMatchObject({ status: 204 });
    expect([got.length, made.length]).toEqual([1, 1]);
  });
});
