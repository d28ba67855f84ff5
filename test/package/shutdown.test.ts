import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { startingPrograms } from '../node/cli/starting.js';
import { HOST, KEY, openWire, requestText } from '../node/http/support.js';

const start = startingPrograms();

/** As many as the server takes at a time, but for one that asks how many there are. */
const HANGING = 9_999;

/** The processor time that a process has used, in milliseconds. */
function usedMs(pid = 0): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13);
  return (Number(user) + Number(system)) * 10;
}

test.skipIf(process.platform !== 'linux')(
  '10,000 calls that hang delay the end of the program by less than 2 s',
  async () => {
    const { port, url, child, ended } = await start(['--port', '0', '--quiet']);
    for (let i = 0; i < HANGING; i++) {
      const wire = await openWire(port);
      wire.send(requestText('GET /charge', [HOST, KEY, 'x-sandbox-fault: hang']));
    }
    // The journal has the last 1,000 of them.
    const last = async (): Promise<number> => {
      const answer = await fetch(`${url}/_sandbox/journal?Limit=1`, {
        headers: { 'x-secretkey': 'sk_test_a' },
      });
      const { Entries: [entry] = [] } = (await answer.json()) as { Entries?: { EntryId: number }[] };
      return entry?.EntryId ?? 0;
    };
    while ((await last()) < HANGING);
    const before = usedMs(child.pid);
    let used = 0;
    const reading = setInterval(() => {
      if (child.exitCode === null) used = usedMs(child.pid) - before;
    }, 10);
    const begun = performance.now();
    child.kill('SIGTERM');
    const { code } = await ended;
    clearInterval(reading);
    process.stdout.write(
      `ended after ${Math.round(performance.now() - begun)} ms, with ${used} ms of work\n`,
    );
    expect(code).toBe(0);
    // Its own work, since other programs may take the processor meanwhile.
    expect(used).toBeLessThan(2_000);
  },
);
