// What the dashboard costs a browser while 500 charges a second arrive: the time of its script, tasks that are too long, and memory.
//
//   node bench/dashboard.mjs [SECONDS] [VIEW ...]
//
// It needs chromium, at /usr/bin/chromium or where CHROMIUM_PATH says.
import { chromium } from 'playwright-core';

import { hammer } from './hammer.mjs';
import { CHARGE, HEADERS, SERVERS, start } from './support.mjs';

const CONNECTIONS = 10;
/** With the time of an answer, so much between two calls of a connection makes 500 a second. */
const PACE_MS = 19;
/** What a second of the script may take: where calls are shown, or what they make, and where neither is. */
const LIMITS_MS = { calls: 100, overview: 100, charges: 100, webhooks: 100, cards: 10, snapshots: 10 };
/** Before it is measured, the page loads, and the journal has calls. */
const SETTLED_MS = 1_500;
const CALLS = 500;

const [seconds = '15', ...chosen] = process.argv.slice(2);
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const server = await start(SERVERS.playmoney);
const request = { path: '/charge/card', body: CHARGE };
await hammer(server.url, request, { count: CALLS, connections: CONNECTIONS });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

async function figures(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Memory after a collection, in MB: what the page keeps. */
async function memory(session) {
  await session.send('HeapProfiler.collectGarbage');
  return (await figures(session)).JSHeapUsedSize / 1e6;
}

for (const view of chosen.length === 0 ? Object.keys(LIMITS_MS) : chosen) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((key) => {
    sessionStorage.setItem('playmoney.key', key);
    globalThis.long = [];
    const see = (list) => globalThis.long.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(see).observe({ type: 'longtask' });
  }, HEADERS['x-secretkey']);
  await page.goto(`${server.url}/_sandbox#/${view}`);
  await page.waitForTimeout(SETTLED_MS);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(() => (globalThis.long.length = 0));
  const first = await memory(session);
  const before = (await figures(session)).ScriptDuration;
  const { rate } = await hammer(server.url, request, {
    seconds: Number(seconds),
    connections: CONNECTIONS,
    pace: PACE_MS,
  });
  const took = ((await figures(session)).ScriptDuration - before) * 1000;
  const long = await page.evaluate(() => globalThis.long.map(Math.round));
  console.log(
    `${view.padEnd(10)} ${rate.toFixed(0)} calls/s: script ${(took / Number(seconds)).toFixed(1)} ms a second (at most ${LIMITS_MS[view] ?? 10}),`,
    `tasks over 50 ms: ${long.length === 0 ? 'none' : long.join(', ')},`,
    `memory ${first.toFixed(1)} to ${(await memory(session)).toFixed(1)} MB`,
  );
  await page.close();
}
await browser.close();
server.child.kill();
