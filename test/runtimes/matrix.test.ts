import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODES } from '../install/matrix.mjs';
import type { Recorded } from '../support/trace.js';
import type { Played, Traces, Way } from './player.js';
import { nodeOf } from './node-of.mjs';
import { LOST_CHARGE, play, PLAYS } from './plays.js';
import { commandOf, ROWS } from './rows.mjs';
import { createPlayer, firstDifference, hashOf, type Player } from './runtimes.js';

/** How often the trace is played in one process. */
const RUNS = 50;
/** Ahead by a half hour, behind by a half hour with summer time, and far ahead of most. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
/** An i without a dot, a comma for decimals. */
const LOCALES = [null, 'tr_TR.UTF-8', 'de_DE.UTF-8'];
const WAYS: readonly Way[] = ['process', 'http'];
const HERE = { zone: 'UTC', locale: null };

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guides/runtimes.md'), 'utf8');

/** Closes the last sandbox of the process, which ends the thread for deliveries. Its errors are printed; they do not end the program. */
const CLOSED_AFTER_WEBHOOK = `
  import { createServer } from 'node:http';
  import { createSandbox } from 'playmoney';
  let received = 0;
  const receiver = createServer((request, response) => {
    received++;
    request.resume().on('end', () => response.end());
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const Url = 'http://127.0.0.1:' + receiver.address().port + '/';
  const headers = { 'x-secretkey': 'sk_test_closed', 'content-type': 'application/json' };
  const send = (sandbox, path, body) => sandbox.fetch(new Request('http://localhost' + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  const sandbox = createSandbox();
  await send(sandbox, '/charge/token', { Amount: 20, Token: 'tok_approve', Webhook: { Url } });
  await send(sandbox, '/_sandbox/settle', {});
  console.log(received + ' received');
  sandbox.close();
  receiver.close();
  console.log('closed');
`;

/** Prints a line among the results. */
const tell = (line: string) => process.stdout.write(`${line}\n`);

let player: Player;
let reference: Traces;

beforeAll(async () => {
  player = await createPlayer();
  const { traces } = await player.play('process', HERE, [...PLAYS, LOST_CHARGE]);
  reference = traces[0] ?? {};
  tell(
    `${hashOf(reference['trace'])}  the trace of ${reference['trace']?.length} calls that others must equal`,
  );
});
afterAll(() => player.remove());

const nodes = NODES.map(async (major) => {
  const node = await nodeOf(major);
  return { name: `Node ${major}`, command: node === null ? null : [node] };
});
const runtimes = [
  ...(await Promise.all(nodes)),
  { name: 'Bun', command: await commandOf('bun') },
  { name: 'Deno', command: await commandOf('deno', 'run', '-A') },
].map(({ name, command }) => ({ name, isMissing: command === null, command: command ?? [] }));
for (const { name, isMissing } of runtimes) if (isMissing) tell(`${name} is skipped: it cannot be had here`);

/** Expects that each play is equal to that of this Node. */
function expectEqual(traces: Traces | undefined): void {
  const names = Object.keys(traces ?? {});
  expect(names).not.toEqual([]);
  const differences = names.map((name) => [name, firstDifference(reference[name], traces?.[name])]);
  expect(differences.filter(([, difference]) => difference !== null)).toEqual([]);
}

/** Expects the surroundings that a test asked for; a runtime that does not honour a locale is only named. */
function expectSurroundings(
  { runtime, zone, locale }: Played,
  asked: { zone: string; locale: string | null },
) {
  const names = asked.zone === 'Asia/Kolkata' ? ['Asia/Kolkata', 'Asia/Calcutta'] : [asked.zone];
  expect(names).toContain(zone);
  if (asked.locale === null) return;
  const expected = asked.locale.slice(0, 5).replace('_', '-');
  if (runtime.startsWith('Bun') && locale !== expected) tell(`${runtime} does not read LC_ALL`);
  else expect(locale).toBe(expected);
}

describe.each(runtimes)('$name', ({ name, isMissing, command }) => {
  const conditions = WAYS.flatMap((way) =>
    ZONES.flatMap((zone) => LOCALES.map((locale) => ({ way, zone, locale }))),
  );

  test.skipIf(isMissing).each(conditions)(
    'gives the same bytes: $way, $zone, $locale',
    async ({ way, ...surroundings }) => {
      const played = await player.play(way, { ...surroundings, command });
      const [traces] = played.traces;
      tell(`${hashOf(traces?.['trace'])}  ${played.runtime}, ${played.zone}, ${played.locale}, ${way}`);
      expectEqual(traces);
      expectSurroundings(played, surroundings);
    },
  );

  test.skipIf(isMissing).each(WAYS)(
    `gives the same bytes in ${RUNS} runs of one process: %s`,
    async (way) => {
      const { runtime, traces } = await player.play(way, { ...HERE, command }, ['trace'], RUNS);
      tell(`${hashOf(traces[0]?.['trace'])}  ${runtime}, ${RUNS} runs of one process, ${way}`);
      expectEqual(traces[0]);
      expect(traces).toHaveLength(1);
    },
  );

  test.skipIf(isMissing).each(WAYS)('plays all stories with the same bytes: %s', async (way) => {
    const { runtime, traces } = await player.play(way, { ...HERE, command }, [...PLAYS, LOST_CHARGE]);
    tell(`${PLAYS.length - 1} stories of ${runtime}, ${way}`);
    expectEqual(traces[0]);
  });

  test.skipIf(isMissing)('prints what the manual says of a lost charge', async () => {
    const [, program = '', table = ''] =
      /<!-- lost charge -->\n+```js\n([^]*?)```\n([^]*?)<!-- /.exec(PAGE) ?? [];
    const { lines } = await player.run(command, program);
    const row = table.split('\n').find((line) => line.includes(name.split(' ')[0] ?? ''));
    expect(row).toContain(`| ${lines.map((line) => `\`${line}\``).join(', ')} |`);
  });

  test.skipIf(isMissing)('closes a sandbox after a webhook without an error', async () => {
    const ended = await player.run(command, CLOSED_AFTER_WEBHOOK);
    expect(ended).toEqual({ lines: ['1 received', 'closed'], errors: '' });
  });

  test.skipIf(isMissing || name !== 'Deno')(
    'sends a charge again by itself if a connection that it kept ends without an answer: two charges',
    async () => {
      const { traces } = await player.play('pooled http', { ...HERE, command }, [LOST_CHARGE]);
      const [, , charged, found] = traces[0]?.[LOST_CHARGE] ?? [];
      expect(charged?.status).toBe(201);
      expect(JSON.parse(found?.text ?? '')).toMatchObject({ Count: 2 });
    },
  );
});

describe.each(ROWS.filter(({ name }) => ['Bun', 'Deno'].includes(name)))(
  'A server on $name',
  ({ name, open }) => {
    test('plays the trace and all stories with the same bytes', async (context) => {
      const stage = await open();
      if (stage === null) return context.skip(`${name} cannot be had here`);
      try {
        const played: Record<string, readonly Recorded[]> = {};
        // One after the other, because two calls at once must arrive in their order.
        for (const one of PLAYS) played[one] = await play(one, stage.send, stage.url);
        expectEqual(played);
      } finally {
        await stage.close();
      }
    });
  },
);
