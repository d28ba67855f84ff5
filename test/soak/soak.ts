import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Client } from './client.js';
import { sufferFull, sufferHostiles, sufferKilled, sufferSlow } from './crowds.js';
import { openPlays, type Play, PLAYED_WORLDS } from './plays.js';
import { Program, type Sample } from './program.js';
import { handlesOf, isLong, Readings, shown, timersOf } from './readings.js';

/** Worlds of the crowds, and of guests. */
const MORE_WORLDS = 8;
const REQUESTS_MAX = 300;
/** A quarter of it is for journals, which the calls of the beginning fill. */
const MEMORY_MAX = '128mb';
/** The most memory that the program may ever have, in MiB. */
const PEAK_MAX = 512;
/** Calls at first, at a higher rate, after which the journals are full, and whatever is loaded once is loaded. */
const FILL_CALLS = 48_000;
const FILL_RATE = 1_200;
const SAMPLES = 60;
const SAMPLE_MIN_MS = 3_000;
/** The first samples see caches and the heap still grow into their size. */
const WARM_SHARE = 0.25;
/** A connection that was closed here is closed there by then. */
const CLOSED_WITHIN_MS = 50;
/** What may be open after the crowds beyond what was open before, and how long a busy machine may take to close the rest. */
const LEFT_MAX = 4;
const GONE_WITHIN_MS = 10_000;
/** A machine that is busy with other things slows the soak down; one that is slower than this shows nothing. */
const RATE_MIN = 0.5;
/** A long soak needs a machine that does nothing else; a short one runs on busy ones too, where this proves only that the server answers. */
const HEALTH_MAX_MS = { long: 100, short: 1_500 };
const SLOW_HEALTH_MAX_MS = 100;
const SHOWN_MAX = 40;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const { seed } = values;
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes > 0 && rate > 0)) throw new Error('--minutes and --rate take numbers above 0');

const findings: string[] = [];
const report = (what: string): unknown => findings.push(what);
const say = (line: string): unknown => process.stderr.write(`${line}\n`);

async function repeat(play: Play, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round++)
    await play(round).catch((error: unknown) => report(`${String(error)} (round ${round})`));
}

/** Plays for as long as was asked; returns the figures of the last line. */
async function soak(program: Program, client: Client): Promise<string> {
  const readings = new Readings();
  const { plays, close } = await openPlays(client, Number(seed));
  let isOver = false;
  let isPaused = false;
  client.keep(FILL_RATE);
  const played = Promise.all(plays.map((play) => repeat(play, () => isOver || !program.runs)));
  while (client.calls < FILL_CALLS && program.runs) await sleep(100);
  say(`${client.calls} calls to reach the bounds, ${findings.length} unexpected`);

  client.keep(rate);
  const [begun, before] = [performance.now(), client.calls];
  const whole = minutes * 60_000;
  const hostiles = sufferHostiles(
    client,
    report,
    () => isOver || !program.runs,
    () => isPaused,
  );
  for (let n = 1; performance.now() < begun + whole && program.runs; n++) {
    const next = begun + Math.min(n * Math.max(whole / SAMPLES, SAMPLE_MIN_MS), whole);
    await sleep(Math.max(0, next - performance.now()));
    isPaused = true;
    const sample = await client.quiet(() => takeSample(program));
    isPaused = false;
    if (performance.now() - begun > whole * WARM_SHARE) readings.add(sample, performance.now());
    if (n % 5 === 0) say(`${client.calls} calls, ${findings.length} unexpected, ${shown(sample)}`);
  }
  const reached = ((client.calls - before) / (performance.now() - begun)) * 1000;
  if (reached < rate * RATE_MIN)
    report(`${reached.toFixed()} calls a second were made, ${rate} were asked for`);
  isOver = true;
  const { came, p99, checks } = await hostiles;
  await played;
  close();
  findings.push(...readings.faults(minutes));
  const max = isLong(minutes) ? HEALTH_MAX_MS.long : HEALTH_MAX_MS.short;
  if (p99 > max) report(`health among hostile clients took ${p99.toFixed()} ms at p99, more than ${max} ms`);
  return `${readings.text()}, ${came.toLocaleString('en')} hostile clients, health ${p99.toFixed(1)} ms at p99 of ${checks}`;
}

/** Samples the program without our connections, and those of hostile clients, which see that they must go. */
async function takeSample(program: Program): Promise<Sample> {
  await sleep(200 + CLOSED_WITHIN_MS);
  return program.sample();
}

/** Lets crowds come, one after the other; returns their figures. */
async function suffer(program: Program, client: Client): Promise<string> {
  client.keep(Infinity);
  const key = 'sk_test_crowds';
  const before = await client.quiet(() => takeSample(program));
  const longest = await sufferSlow(client, report);
  if (longest > SLOW_HEALTH_MAX_MS) report(`health among slow clients took ${longest.toFixed()} ms`);
  const killed = await sufferKilled(client, key, report);
  // Also shows that nothing of those that were killed counts as under way for ever.
  await sufferFull(client, key, REQUESTS_MAX, report);
  await client.call({ method: 'POST', path: '/_sandbox/reset', key, body: '{}' });
  const until = performance.now() + GONE_WITHIN_MS;
  let left: string[];
  do left = listLeft(before, await client.quiet(() => takeSample(program)));
  while (left.length > 0 && performance.now() < until);
  for (const what of left) report(`the crowds left ${what} behind`);
  return `slow headers: health <= ${Math.ceil(longest)} ms, overload 503, ${killed.toLocaleString('en')} killed`;
}

function listLeft(before: Sample, after: Sample): string[] {
  const more = { handles: handlesOf(after) - handlesOf(before), timers: timersOf(after) - timersOf(before) };
  return Object.entries(more).flatMap(([what, count]) => (count > LEFT_MAX ? [`${count} ${what}`] : []));
}

say(`soak of ${minutes} min at ${rate} calls a second, --seed ${seed}`);
const worlds = ['--worlds-max', String(PLAYED_WORLDS + MORE_WORLDS)];
const limits = ['--requests-max', String(REQUESTS_MAX), '--memory-max', MEMORY_MAX, ...worlds];
const program = await Program.start(['--quiet', '--clock', 'manual', '--seed', seed, ...limits]);
const client = new Client(program.port);
let figures = 'no figures';
try {
  const soaked = await soak(program, client);
  const crowds = await suffer(program, client);
  const peak = await program.peak();
  if (peak > PEAK_MAX) report(`the program had ${peak.toFixed()} MiB, more than ${PEAK_MAX}`);
  figures = `${soaked}, peak ${peak.toFixed()} MiB, ${crowds}`;
} catch (error) {
  report(`the soak broke off: ${error instanceof Error ? error.stack : String(error)}`);
}
const code = await program.stop();
if (code !== 0) report(`the program ended with ${code}`);
if (program.stderr !== '') report(`the program printed ${program.stderr}`);
if (findings.length > 0)
  say(`What is wrong, with --seed ${seed}:\n- ${findings.slice(0, SHOWN_MAX).join('\n- ')}`);
process.stdout.write(
  `soak: ${minutes} min, ${client.calls.toLocaleString('en')} calls, ${findings.length} unexpected, ${figures}\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
