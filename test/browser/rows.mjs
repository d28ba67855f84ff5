// What the program does in a browser, as rows of the table of runtimes: `node test/browser/rows.mjs [SECONDS [STARTS]]`.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { chromium } from 'playwright-core';

import { bundled } from './bundled.mjs';

const DIST = join(import.meta.dirname, '../../dist');
const CHROMIUM = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== '' && existsSync(path),
);
const CHARGE = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-secretkey': 'sk_test_rows' },
  body: JSON.stringify({ Amount: 5, Token: 'tok_approve' }),
};

/** In a page, how its calls come to be answered. */
const SET_UP = {
  page: async () => {
    const { openSandbox } = await import(`${location.origin}/browser.js`);
    (await openSandbox()).intercept(location.origin);
  },
  'service worker': async () => {
    const { startSandboxWorker } = await import(`${location.origin}/browser.js`);
    await startSandboxWorker('/browser.js');
  },
};

/** A page whose calls are answered in the browser; null where there is none. `url`, `send` and `close` are those of every runtime. */
async function open(name) {
  if (CHROMIUM === undefined) return null;
  const files = new Map([
    ['/', ['text/html', '<!doctype html><title>A page</title>']],
    ['/browser.js', ['text/javascript', await readFile(join(DIST, 'browser.js'))]],
    ['/texts.json', ['application/json', await readFile(join(DIST, 'texts.json'))]],
    ['/in-page.js', ['text/javascript', await bundled('in-page.ts')]],
  ]);
  const server = createServer((request, response) => {
    const [type, content] = files.get(request.url.split('?')[0]) ?? ['text/plain', ''];
    response.writeHead(content === '' ? 404 : 200, { 'content-type': type }).end(content);
  }).listen(0);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const url = `http://localhost:${server.address().port}`;
  await page.goto(url);
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  };
  return {
    url,
    page,
    isInside: true,
    setUp: () => page.evaluate(SET_UP[name]),
    send: sender(page, url),
    close,
  };
}

/** The address in links of a sandbox in a page, which no page can open. */
const WITHIN = 'http://playmoney.localhost';

/** Sends a Request in the page, and resolves with a copy of what the page got, with links to the address that was called. */
function sender(page, origin) {
  return async (request) => {
    const { method, url } = request;
    const body = method === 'GET' ? undefined : await request.text();
    const init = { method, headers: [...request.headers], body };
    const got = await page.evaluate(
      async ([to, how]) => {
        const response = await fetch(to, how).catch(() => null);
        const text = await response?.text().catch(() => null);
        if (typeof text !== 'string') return null;
        return { text, status: response.status, headers: [...response.headers] };
      },
      [url, init],
    );
    if (got === null) throw new TypeError('Failed to fetch');
    return new Response(got.text.replaceAll(WITHIN, origin), got);
  };
}

const bytes = async () => gzipSync(await readFile(join(DIST, 'browser.js')), { level: 9 }).length;
const row = (name, differs) => ({
  name: `Chromium, ${name}`,
  open: async () => {
    const stage = await open(name);
    await stage?.setUp();
    return stage;
  },
  bytes,
  differs,
  figures: (seconds, starts) => figures(name, seconds, starts),
});

/** Rows as in test/runtimes/rows.mjs. `figures` measures within the page, where no call crosses to this process. */
export const ROWS = [
  row('page', ['no YAML', 'webhooks need CORS', 'pages of the sandbox cannot be opened']),
  row('service worker', ['no YAML', 'webhooks need CORS', 'jobs run when a call comes']),
];

/** Plays everything, then measures: milliseconds to the first charge of a new page, and charges a second. */
async function figures(name, seconds, starts) {
  const expected = await playOnNode();
  const played = await inPage(name, async ({ url, page, setUp }) => {
    await page.addScriptTag({ type: 'module', url: '/in-page.js' });
    await setUp();
    await page.waitForFunction(() => 'tools' in globalThis);
    const place = { base: url, links: name === 'page' ? WITHIN : url };
    return page.evaluate((given) => tools.playAll(tools.PLAYS, { send: fetch, ...given }), place);
  });
  const first = [];
  for (let n = 0; n < starts; n++) {
    await inPage(name, async ({ page, setUp }) => {
      const from = performance.now();
      await setUp();
      await page.evaluate(async (init) => (await fetch('/charge/token', init)).text(), CHARGE);
      first.push(performance.now() - from);
    });
  }
  const rate = await inPage(name, async ({ page, setUp }) => {
    await setUp();
    return page.evaluate(rateOf, [CHARGE, seconds]);
  });
  const equal = Object.keys(expected).filter(
    (one) => JSON.stringify(played[one]) === JSON.stringify(expected[one]),
  );
  return { equal, plays: Object.keys(expected).length, first: first.toSorted((a, b) => a - b), rate };
}

async function rateOf([init, seconds]) {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const repeat = async () => {
    for (; performance.now() < end; count++) await (await fetch('/charge/token', init)).text();
  };
  await Promise.all(Array.from({ length: 16 }, repeat));
  return count / seconds;
}

async function inPage(name, work) {
  const stage = await open(name);
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

async function playOnNode() {
  const { createSandbox } = await import(join(DIST, 'index.js'));
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-rows-'));
  await writeFile(join(folder, 'plays.mjs'), await bundled('plays.ts'));
  const { playAll, PLAYS } = await import(join(folder, 'plays.mjs'));
  await rm(folder, { recursive: true });
  const sandbox = createSandbox();
  const base = 'http://localhost';
  const played = await playAll(PLAYS, { send: (request) => sandbox.fetch(request), base, links: base });
  sandbox.close();
  return played;
}

if (process.argv[1] === import.meta.filename) {
  const [seconds = 3, starts = 5] = process.argv.slice(2).map(Number);
  for (const { name, differs, ...one } of ROWS) {
    const { equal, plays, first, rate } = await one.figures(seconds, starts);
    const cells = [
      name,
      `${equal.filter((play) => play !== 'trace').length} of ${plays - 1}`,
      equal.includes('trace') ? 'yes' : 'no',
      `${(await bytes()) / 1000} kB`,
      `${Math.round(first[first.length >> 1])} ms`,
      Math.round(rate),
      differs.join('; '),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
