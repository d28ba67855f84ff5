import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { origin } from './origin.js';

const BODY = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
const HEADERS = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_local' };

describe.skipIf(CHROMIUM === undefined)('the database of a sandbox in a browser', () => {
  const site = origin();

  async function withWorker(options = {}): Promise<Page> {
    const page = await site.open();
    await page.evaluate((given) => tools.startSandboxWorker('/browser.js', given).then(() => {}), options);
    return page;
  }

  const pay = (page: Page): Promise<[number, string]> =>
    page.evaluate(
      async ([headers, body]) => {
        const answer = await fetch('/pay/charge/token', { method: 'POST', headers, body });
        return [answer.status, ((await answer.json()) as { Message?: string }).Message ?? ''] as const;
      },
      [HEADERS, BODY] as const,
    ) as Promise<[number, string]>;

  const count = (page: Page): Promise<number> =>
    page.evaluate(async (headers) => {
      const answer = await fetch('/pay/charge', { headers });
      return ((await answer.json()) as { Count: number }).Count;
    }, HEADERS);

  test('is opened again after somebody deleted or upgraded it, and has the worlds in memory again', async () => {
    const page = await withWorker();
    expect(await pay(page)).toEqual([201, '']);
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const deleting = indexedDB.deleteDatabase('playmoney');
          deleting.addEventListener('success', resolve);
          deleting.addEventListener('error', reject);
        }),
    );
    expect(await pay(page)).toEqual([201, '']);
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('playmoney', 20);
          opening.onsuccess = () => resolve(opening.result.close());
        }),
    );
    expect(await pay(page)).toEqual([201, '']);
    const session = await page.context().newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    expect(await count(page)).toBe(3);
  });

  test('gives 503 with the reason while it is full, also to reads, and the next call tries again', async () => {
    const page = await site.open();
    const seen = await page.evaluate(
      async (init) => {
        const sandbox = await tools.openSandbox();
        const call = async (given: RequestInit) => {
          const answer = await sandbox.fetch('/charge/token', given);
          return [answer.status, ((await answer.json()) as { Message?: string }).Message];
        };
        const charge = { ...init, method: 'POST' };
        const first = await call(charge);
        const { put } = IDBObjectStore.prototype;
        // What Chromium throws cannot be brought about: it counts a few megabytes late.
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('Quota exceeded', 'QuotaExceededError');
        };
        const full = [
          await call(charge),
          await sandbox.fetch('/charge', { headers: init.headers }).then(({ status }) => status),
        ];
        IDBObjectStore.prototype.put = put;
        return [first, ...full, await call(charge), (await sandbox.world().charges()).length];
      },
      { headers: HEADERS, body: BODY },
    );
    expect(seen).toEqual([
      [201, undefined],
      [
        503,
        'Retry later: The worlds cannot be saved, because the database is full. Reset a world, or clear the data of this site.',
      ],
      503,
      [201, undefined],
      3,
    ]);
  });

  test('of a page keeps a worker out, which opens it once the page has closed its sandbox', async () => {
    const page = await site.open();
    await page.evaluate(async () => {
      Object.assign(globalThis, { sandbox: await tools.openSandbox() });
      await tools.startSandboxWorker('/browser.js');
    });
    const [status, message] = await pay(page);
    expect(status).toBe(503);
    expect(message).toContain('"playmoney": another page or worker has it.');
    await page.evaluate(() => (globalThis as unknown as { sandbox: Disposable }).sandbox[Symbol.dispose]());
    expect(await pay(page)).toEqual([201, '']);
  });

  test('says that this page has opened it before, that it has no origin, or that it is not secure', async () => {
    const page = await site.open();
    const again = await page.evaluate(async () => {
      await tools.openSandbox();
      return tools.openSandbox().catch((error: unknown) => String(error));
    });
    expect(again).toBe(
      'Error: Failed to open the database "playmoney": this page has opened it before. Close that sandbox first, under hot updates in import.meta.hot?.dispose.',
    );
    const framed = await page.evaluate(
      (at) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => resolve(data));
          const frame = document.createElement('iframe');
          frame.sandbox.add('allow-scripts');
          frame.srcdoc = `<script type="module">
            const { openSandbox } = await import('${at}/browser.js');
            parent.postMessage(await openSandbox().catch(String), '*');
          </script>`;
          document.body.append(frame);
        }),
      site.url(),
    );
    await page.goto(site.url().replace('localhost', 'insecure.test'));
    await page.waitForFunction(() => 'tools' in globalThis);
    const insecure = await page.evaluate(async () => [
      await tools.openSandbox().catch((error: unknown) => String(error)),
      await tools.startSandboxWorker('/browser.js').catch((error: unknown) => String(error)),
      typeof (await tools.openSandbox({ database: null })),
    ]);
    expect(insecure).toEqual([
      expect.stringMatching(
        /http:\/\/insecure\.test:\d+ is not secure, and browsers lock databases only over https/,
      ),
      expect.stringMatching(
        /browsers have service workers only over https and on localhost, and this is http:/,
      ),
      'object',
    ]);
    expect(framed).toContain(
      'this page has no origin of its own, as a sandboxed frame or a data: address has none. Pass',
    );
  });

  test('loses a damaged world, or one of a newer version, with a reset', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async () => {
      const sandbox = await tools.openSandbox();
      await sandbox.world().charges();
      sandbox.close();
      const damage = (text: string) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('playmoney');
          opening.onsuccess = () => {
            const { transaction } = opening.result.transaction('entries', 'readwrite').objectStore('entries');
            const entries = transaction.objectStore('entries');
            entries.getAllKeys().onsuccess = ({ target }) => {
              for (const key of (target as IDBRequest<[string, string][]>).result)
                if (key[0] === 'document') entries.put(text, key);
            };
            transaction.oncomplete = () => resolve(opening.result.close());
          };
        });
      const outcomes = [];
      for (const text of ['{', '{"Format":"playmoney-state","Version":999}']) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        await damage(text);
        const next = await tools.openSandbox();
        const refused = await next
          .world()
          .charges()
          .catch((error: unknown) => String(error));
        await next.world().reset();
        outcomes.push([refused as string, (await next.world().charges()).length]);
        next.close();
      }
      return outcomes;
    });
    for (const [refused, left] of seen) {
      expect(refused).toMatch(
        /cannot be read: the world \S+ of the database playmoney: .* To begin again, reset the world/,
      );
      expect(left).toBe(0);
    }
    expect(seen.length).toBe(2);
  });

  test('has all calls that are under way when the sandbox is closed', async () => {
    const page = await site.open();
    const statuses = await page.evaluate(
      async (init) => {
        const sandbox = await tools.openSandbox();
        const calls = Array.from({ length: 60 }, () =>
          sandbox.fetch('/charge/token', { method: 'POST', ...init }),
        );
        sandbox.close();
        const all = (await Promise.all(calls)).map(({ status }) => status);
        const late = await sandbox
          .world()
          .charges()
          .catch((error: unknown) => String(error));
        const next = await tools.openSandbox();
        return [new Set(all).size, all[0], late, await next.world().journal.count({})];
      },
      { headers: HEADERS, body: BODY },
    );
    expect(statuses).toEqual([
      1,
      201,
      'SandboxError: The sandbox is closed. Open another one with openSandbox().',
      60,
    ]);
  });
});
