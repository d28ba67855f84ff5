import { chromium } from 'playwright-core';
const url = process.argv[2];
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const views = process.argv[3]?.split(',') ?? [
  'overview',
  'calls',
  'calls?open=4',
  'webhooks',
  'due',
  'charges',
];
for (const [w, scheme] of [
  [1440, 'light'],
  [390, 'dark'],
  [720, 'light'],
]) {
  const c = await b.newContext({ viewport: { width: w, height: 900 }, colorScheme: scheme });
  const p = await c.newPage();
  p.on('pageerror', (e) => console.log('ERR', String(e)));
  p.on('console', (m) => {
    if (m.type() === 'error') console.log('CON', m.text());
  });
  for (const v of views) {
    await p.goto(`${url}/_sandbox#/${v}`);
    await p.waitForTimeout(1600);
    await p.screenshot({
      path: `/tmp/shots-truth/${v.replace(/\W/g, '_')}-${w}.png`,
      fullPage: w < 1000 && !v.includes('open'),
    });
  }
}
await b.close();
