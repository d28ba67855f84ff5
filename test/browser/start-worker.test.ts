import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { origin } from './origin.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
const SERVICE = 'https://api.example.com/v1';

describe.skipIf(CHROMIUM === undefined)('startSandboxWorker()', () => {
  const site = origin();

  const start = (page: Page, address = '/browser.js', options = {}): Promise<string> =>
    page.evaluate(
      ([at, given]) =>
        tools.startSandboxWorker(at, given).then(
          () => 'started',
          (error: unknown) => String(error),
        ),
      [address, options] as const,
    );

  /** The requests of a window that reached the network. */
  function networkOf(page: Page): string[] {
    const sent: string[] = [];
    page.context().on('request', (request) => {
      if (request.serviceWorker() === null && request.response !== undefined)
        void request.response().then((response) => {
          if (response?.fromServiceWorker() !== true) sent.push(request.url());
        });
    });
    return sent;
  }

  test('resolves when the worker answers: the first call after it reaches no network', async () => {
    for (let n = 0; n < 3; n++) {
      const page = await site.open();
      const sent = networkOf(page);
      const status = await page.evaluate(
        async ([base, init]) => {
          await tools.startSandboxWorker('/browser.js', { base, key: 'sk_test_shop' });
          return (await fetch(`${base}/charge/token`, { method: 'POST', ...init })).status;
        },
        [SERVICE, { headers: JSON_TYPE, body: BODY }] as const,
      );
      expect(status).toBe(201);
      expect(await start(page, '/browser.js', { base: SERVICE, key: 'sk_test_shop' })).toBe('started');
      expect(sent.filter((url) => url.startsWith(SERVICE))).toEqual([]);
      await page.context().close();
    }
  });

  test('is in playmoney/worker, too, which is small', async () => {
    const page = await site.open();
    await page.addScriptTag({
      type: 'module',
      content: `import { startSandboxWorker } from '/worker.js';
        document.title = await startSandboxWorker('/browser.js').then(() => 'started', String);`,
    });
    await page.waitForFunction(() => document.title !== 'A page');
    expect(await page.title()).toBe('started');
    const { length: size } = gzipSync(readFileSync(join(import.meta.dirname, '../../dist/worker.js')));
    expect(size).toBeLessThan(1_600);
  });

  test('rejects after a reload without workers, and starts after a usual one', async () => {
    const page = await site.open();
    expect(await start(page)).toBe('started');
    const session = await page.context().newCDPSession(page);
    await Promise.all([page.waitForEvent('load'), session.send('Page.reload', { ignoreCache: true })]);
    await page.waitForFunction(() => 'tools' in globalThis);
    expect(await start(page)).toBe(
      'Error: Failed to start the sandbox worker: this page was reloaded without workers (Shift and reload, or "Bypass for network" in the developer tools). Reload it as usual.',
    );
    await page.reload();
    await page.waitForFunction(() => 'tools' in globalThis);
    expect(await start(page)).toBe('started');
  });

  test.each([
    ['/nothing.js', {}, /A bad HTTP response code \(404\) was received when fetching the script\.$/],
    ['/browser.js', { colour: 'red' }, /The worker has no option "colour"\. Its options are base, key, seed/],
    ['/browser.js?colour=red', {}, /The worker has no option "colour"/],
    ['/browser.js', { base: '/' }, /The base is "\/", so the worker would answer for the whole site/],
    ['/browser.js', { base: 'api.example.com/v1' }, /it must be an address such as https:/],
    ['/browser.js', { base: '' }, /it must be an address such as https:/],
  ])('rejects %s with %o', async (address, options, reason) => {
    expect(await start(await site.open(), address, options)).toMatch(reason);
  });

  test('leaves a worker that says what is wrong, and tries again with each call', async () => {
    const page = await site.open();
    expect(await start(page, '/browser.js?clock=manuel')).toBe('started');
    const answers = await page.evaluate(async () => {
      const get = async () => {
        const answer = await fetch('/pay/charge', { headers: { 'x-secretkey': 'sk_test_local' } });
        return [answer.status, ((await answer.json()) as { Message: string }).Message];
      };
      return [await get(), await get()];
    });
    const refused = [
      503,
      'Retry later: Failed to create a sandbox: the clock mode must be one of real, manual, scaled, not "manuel".',
    ];
    expect(answers).toEqual([refused, refused]);
  });

  test('refuses synchronous calls, which no worker answers', async () => {
    const page = await site.open();
    expect(await start(page, '/browser.js', { base: SERVICE })).toBe('started');
    const seen = await page.evaluate((base) => {
      const open = (url: string, isAsync: boolean): string => {
        try {
          new XMLHttpRequest().open('GET', url, isAsync);
          return 'open';
        } catch (error) {
          return (error as Error).name;
        }
      };
      return [open(`${base}/charge`, false), open(`${base}/charge`, true), open('/elsewhere', false)];
    }, SERVICE);
    expect(seen).toEqual(['InvalidAccessError', 'open', 'open']);
  });

  test('leaves the paths of the shop below the base to it, and serves the script of card forms', async () => {
    const page = await site.open();
    expect(await start(page)).toBe('started');
    const texts = await page.evaluate(() =>
      Promise.all(
        ['/pay/offers', '/pay', '/pay/charges.html', '/v4.6.9/js/payfurl.js', '/pay/charge'].map(
          async (path) => (await (await fetch(path)).text()).slice(0, 40),
        ),
      ),
    );
    const own = 'the server of the page';
    expect(texts.slice(0, 3)).toEqual([own, own, own]);
    expect(texts[3]).not.toContain(own);
    expect(texts[4]).toContain('HttpStatus');
  });

  test('counts equal calls: each of two at once, and one after a kill, is a charge of its own', async () => {
    const page = await site.open();
    expect(await start(page)).toBe('started');
    const session = await page.context().newCDPSession(page);
    await session.send('ServiceWorker.enable');
    const headers = { ...JSON_TYPE, 'x-secretkey': 'sk_test_local' };
    const ids = new Set<string>();
    const payTwice = () =>
      page.evaluate(
        async (init) => {
          const pay = async () => {
            const answer = await fetch('/pay/charge/token', { method: 'POST', ...init });
            return ((await answer.json()) as { ChargeId: string }).ChargeId;
          };
          return Promise.all([pay(), pay()]);
        },
        { headers, body: BODY },
      );
    const rounds = 25;
    for (let n = 0; n < rounds; n++) {
      const paid = payTwice();
      // At another moment of each round: before, during and right after both answers.
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), n);
      await session.send('ServiceWorker.stopAllWorkers');
      for (const id of await paid) ids.add(id);
    }
    const count = await page.evaluate(
      async (given) =>
        ((await (await fetch('/pay/charge', { headers: given })).json()) as { Count: number }).Count,
      headers,
    );
    expect([ids.size, count]).toEqual([2 * rounds, 2 * rounds]);
  }, 60_000);

  test('sends a webhook once if the page is left 50 ms after its delivery', async () => {
    for (let n = 0; n < 3; n++) {
      const page = await site.open();
      const before = site.hooks.length;
      await page.evaluate(async (body) => {
        const sandbox = await tools.openSandbox();
        await sandbox.fetch('/charge/token', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-secretkey': 'sk_test_local' },
          body: JSON.stringify({
            ...(JSON.parse(body) as object),
            Webhook: { Url: `${location.origin}/hooks` },
          }),
        });
      }, BODY);
      await expect.poll(() => site.hooks.length).toBe(before + 1);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
      await page.reload();
      await page.waitForFunction(() => 'tools' in globalThis);
      const listed = await page.evaluate(async () => {
        const world = (await tools.openSandbox()).world();
        await world.settle();
        return (await world.deliveries.list()).map(({ status, attempts }) => [status, attempts.length]);
      });
      expect(listed).toEqual([['delivered', 1]]);
      expect(site.hooks.length).toBe(before + 1);
      await page.context().close();
    }
  });

  test('is of a module whose import alone fetches nothing', async () => {
    const page = await site.open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.reload();
    await page.waitForFunction(() => 'tools' in globalThis);
    expect(sent.filter((url) => url.endsWith('.json'))).toEqual([]);
    await page.route('**/texts.json', (route) =>
      route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }),
    );
    const refused = await page.evaluate(async () => {
      const sandbox = await tools.openSandbox({ database: null });
      Object.assign(globalThis, { sandbox });
      const answer = await sandbox.world().fetch('/info');
      return [answer.status, ((await answer.json()) as { Message: string }).Message];
    });
    expect(refused).toEqual([
      503,
      `Retry later: ${site.url()}/texts.json cannot be read (it is not JSON). Copy it from the folder dist of playmoney, or let vite dev leave the package as it is: optimizeDeps: { exclude: ['playmoney'] }.`,
    ]);
    await page.unroute('**/texts.json');
    const again = await page.evaluate(async () => {
      const { sandbox } = globalThis as unknown as { sandbox: Awaited<ReturnType<typeof tools.openSandbox>> };
      return (await sandbox.world().fetch('/info')).status;
    });
    expect(again).toBe(200);
  });

  test('is of a module that can be imported on a server and bundled as a classic script', async () => {
    const program = join(import.meta.dirname, '../../dist/browser.js');
    const onServer = `delete globalThis.navigator; const { openSandbox } = await import(${JSON.stringify(program)});
      console.log(await openSandbox().catch(String));
      const sandbox = await openSandbox({ database: null, scenario: 'lost-answer' });
      console.log((await sandbox.world().fetch('/info')).status);`;
    const args = ['--input-type=module', '-e', onServer];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(
      'Error: Failed to open the database "playmoney": there is no IndexedDB here, as in jsdom. Pass { database: null } to keep the worlds in memory.\n200\n',
    );
    const { outputFiles } = await build({
      stdin: {
        contents: `import { openSandbox } from ${JSON.stringify(program)};
          openSandbox({ database: null }).then((sandbox) => sandbox.world().fetch('/info')).then(({ status }) => (document.title = status));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      logLevel: 'silent',
    });
    const page = await site.open();
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    await page.waitForFunction(() => document.title !== 'A page');
    expect(await page.title()).toBe('200');
  });
});
