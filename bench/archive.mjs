// What a long HTTP archive costs: the time of `open` until the server listens, and of `scenario from-trace`, for 10,000 and 100,000
// calls. Fails if a call of the longer archive takes more than twice as long as one of the shorter.
//
//   npm run bench:archive
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SIZES = [10_000, 100_000];
const RATIO_MAX = 2;
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'playmoney-'));

/** A charge by a token, as a browser records it. */
function archived(n) {
  const body = { Amount: 5, Token: 'tok_approve', Reference: `order-${n}` };
  const answer = { ChargeId: n.toString(16).padStart(32, 'a'), Status: 'SUCCESS', Amount: 5 };
  const headers = [{ name: 'x-secretkey', value: 'sk_test_a' }];
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + 10 * n).toISOString(),
    request: {
      method: 'POST',
      url: 'http://shop.test/charge/token',
      headers,
      postData: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
    response: { status: 201, content: { text: JSON.stringify(answer) } },
  };
}

/** Runs the program until it ends or listens; returns the milliseconds. */
async function timed(...words) {
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
    child.stdout.on('data', (text) => {
      if (!String(text).startsWith('playmoney listening')) return;
      resolve(0);
      child.kill();
    });
  });
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
  return performance.now() - begun;
}

try {
  const perCall = [];
  for (const size of SIZES) {
    const file = join(folder, `${size}.har`);
    const entries = Array.from({ length: size }, (_, n) => archived(n));
    writeFileSync(file, JSON.stringify({ log: { creator: { name: 'bench' }, entries } }));
    const times = [
      await timed('open', file, '--port', '0', '--quiet'),
      await timed('scenario', 'from-trace', file, '--out', join(folder, `${size}.yaml`)),
    ];
    perCall.push(times.map((ms) => ms / size));
    const [open, scenario] = times.map((ms) => `${(ms / 1000).toFixed(1)} s`);
    console.log(`${size} calls: open ${open}, scenario from-trace ${scenario}`);
  }
  const ratio = Math.max(...perCall[1].map((ms, n) => ms / perCall[0][n]));
  console.log(`A call of the longer archive takes ${ratio.toFixed(2)} times as long.`);
  process.exitCode = ratio > RATIO_MAX ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
