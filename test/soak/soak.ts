import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from './client.js';
import { Hostiles } from './crowds/hostile.js';
import { crowdOfKilled } from './crowds/killed.js';
import { crowdOfMany } from './crowds/full.js';
import { crowdOfSlow } from './crowds/slow.js';
import { Findings } from './findings.js';
import { Pace } from './pace.js';
import { Player, type Tools } from './player.js';
import { Program, type Sample } from './program.js';
import { handlesOf, Readings, shown, timersOf } from './readings.js';
import { Receiver } from './receiver.js';
import { readSettings, type Settings } from './settings.js';
import { SharedWorld } from './shared.js';
import { live } from './world.js';
import { keyOf, plansOf } from './worlds.js';

const SHARED = 'shared';
const SHARERS = 3;
/** Worlds of the crowds at the end. */
const KILLED = 'killed';
const FULL = 'full';
/** The world of the hostile clients. */
const HOSTILE = 'hostile';
const REQUESTS_MAX = 300;
/** Calls at first, at a higher rate, after which the journals are full, and whatever is loaded once is loaded. */
const FILL_CALLS = 48_000;
/** A quarter of it is for journals, which the calls of the beginning fill. */
const MEMORY_MAX = '128mb';
const FILL_RATE = 1_200;
/** Samples of a soak. */
const SAMPLES = 60;
const SAMPLE_MIN_MS = 3_000;
/** The first samples see caches and the heap still grow into their size. */
const WARM_SHARE = 0.25;
/** A connection that was closed here is closed there by then. */
const CLOSED_WITHIN_MS = 50;
const MOOD_MS = 1_500;
/** What may be open after the crowds beyond what was open before, and how long a busy machine may take to close the rest. */
const LEFT_MAX = 4;
const GONE_WITHIN_MS = 10_000;
const TOLD_EVERY = 5;
/** A machine that is busy with other things slows the soak down; one that is slower than this shows nothing. */
const RATE_MIN = 0.5;
/** The most memory that the program may ever have, in MiB. */
const PEAK_MAX = 512;

const say = (line: string): unknown => process.stderr.write(`${line}\n`);

/** All of one soak. */
class Soak {
  readonly findings = new Findings();
  readonly readings = new Readings();
  readonly #client: Client;
  readonly #pace = new Pace(FILL_RATE);
  readonly #tools: Tools;
  /** For what is asked while all others are still. */
  readonly #aside: Tools;
  readonly #shared = new SharedWorld();
  readonly hostiles: Hostiles;
  #isOver = false;

  constructor(
    private readonly settings: Settings,
    private readonly program: Program,
  ) {
    const { findings } = this;
    const { seed } = settings;
    this.#client = new Client(program.port);
    this.#tools = { client: this.#client, pace: this.#pace, findings, seed };
    this.hostiles = new Hostiles(program.port, keyOf(HOSTILE), findings);
    this.#aside = { ...this.#tools, pace: new Pace(Infinity) };
  }

  get calls(): number {
    return this.#pace.calls;
  }

  /** Plays in all worlds for as long as was asked. */
  async play(): Promise<void> {
    const led = new Receiver();
    const moody = new Receiver();
    await Promise.all([led.open(), moody.open()]);
    const plans = plansOf({ led, moody });
    for (const name of [HOSTILE, KILLED, FULL, SHARED, ...Object.keys(plans)])
      await this.#visitor(name).ask('POST /_sandbox/reset', {});
    const isOver = (): boolean => this.#isOver;
    const players = Object.entries(plans).map(([name, plan]) =>
      live(new Player(keyOf(name), this.#tools), plan, isOver),
    );
    for (let i = 0; i < SHARERS; i++) {
      players.push(this.#shared.play(new Player(keyOf(SHARED), this.#tools, String(i)), isOver));
    }
    const mood = this.#changeMood(moody, isOver);
    try {
      await this.#fill();
      await this.#soak();
    } finally {
      this.#isOver = true;
      await Promise.all([...players, mood]);
      await Promise.all([led.die(), moody.die()]);
    }
  }

  #visitor(name: string): Player {
    return new Player(keyOf(name), this.#aside);
  }

  async #fill(): Promise<void> {
    while (this.calls < FILL_CALLS && this.program.runs) await sleep(100);
    say(`${this.calls} calls to reach the bounds, ${this.findings.count} unexpected`);
  }

  async #soak(): Promise<void> {
    const { minutes, rate } = this.settings;
    const began = performance.now();
    const callsBefore = this.calls;
    const whole = minutes * 60_000;
    const gap = Math.max(whole / SAMPLES, SAMPLE_MIN_MS);
    this.#pace.keep(rate);
    const isOver = (): boolean => performance.now() >= began + whole || !this.program.runs;
    const hostiles = this.hostiles.come(isOver);
    for (let n = 1; !isOver(); n++) {
      await sleep(Math.max(0, Math.min(began + n * gap, began + whole) - performance.now()));
      const sample = await this.#pace.quiet(() => this.hostiles.without(() => this.#look()));
      if (performance.now() - began > whole * WARM_SHARE) this.readings.add(sample, performance.now());
      if (n % TOLD_EVERY === 0) this.#tell(performance.now() - began, sample);
    }
    await hostiles;
    const reached = (this.calls - callsBefore) / ((performance.now() - began) / 1000);
    if (reached < rate * RATE_MIN)
      this.findings.add(`${reached.toFixed()} calls a second were made, ${rate} were asked for`);
  }

  #tell(ms: number, sample: Sample): void {
    say(
      `${(ms / 60_000).toFixed(1)} min, ${this.calls} calls, ${this.findings.count} unexpected, ${shown(sample)}`,
    );
  }

  /** Compares what is shared, and samples the program without our connections. */
  async #look(): Promise<Sample> {
    await this.#shared.audit(this.#visitor(SHARED));
    return this.#sample();
  }

  async #sample(): Promise<Sample> {
    this.#client.hangUp();
    await sleep(CLOSED_WITHIN_MS);
    return this.program.sample();
  }

  async #changeMood(receiver: Receiver, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(MOOD_MS);
      await receiver.die();
      await sleep(MOOD_MS);
      await receiver.open();
      receiver.forget();
    }
  }

  /** Lets crowds come, one after the other; gives back their figures. */
  async suffer(): Promise<string> {
    const before = await this.#sample();
    const longest = await crowdOfSlow(this.program.port, this.#client, this.findings);
    say(`2,000 slow clients: health took ${longest.toFixed(1)} ms at most`);
    const killed = await crowdOfKilled(this.program.port, this.#visitor(KILLED));
    say(`${killed} clients were killed`);
    // Also shows that nothing of those that were killed counts as under way for ever.
    await crowdOfMany(this.#visitor(FULL), REQUESTS_MAX);
    say('a full server was called');
    for (const name of [KILLED, FULL]) await this.#visitor(name).ask('POST /_sandbox/reset', {});
    await this.#awaitGone(before);
    return `slow headers: health <= ${Math.ceil(longest)} ms, overload 503, ${killed.toLocaleString('en')} killed`;
  }

  async #awaitGone(before: Sample): Promise<void> {
    const until = performance.now() + GONE_WITHIN_MS;
    let left: readonly string[];
    do left = leftBehind(before, await this.#sample());
    while (left.length > 0 && performance.now() < until);
    for (const what of left) this.findings.add(`the crowds left ${what} behind`);
  }
}

function leftBehind(before: Sample, after: Sample): string[] {
  const more = { handles: handlesOf(after) - handlesOf(before), timers: timersOf(after) - timersOf(before) };
  return Object.entries(more)
    .filter(([, count]) => count > LEFT_MAX)
    .map(([what, count]) => `${count} ${what}`);
}

async function main(settings: Settings): Promise<boolean> {
  const { minutes, rate, seed } = settings;
  say(`soak of ${minutes} min at ${rate} calls a second, --seed ${seed}`);
  // Those that are played in, and a guest's. If one too many were open, another one would be dropped, and its play would fail.
  const worlds =
    Object.keys(plansOf({ led: new Receiver(), moody: new Receiver() })).length +
    [HOSTILE, SHARED, KILLED, FULL, 'guest'].length;
  const options = [
    '--quiet',
    '--clock',
    'manual',
    '--seed',
    seed,
    '--body-limit',
    '64kb',
    '--memory-max',
    MEMORY_MAX,
  ];
  const program = await Program.start([
    ...options,
    '--worlds-max',
    String(worlds),
    '--requests-max',
    String(REQUESTS_MAX),
  ]);
  const soak = new Soak(settings, program);
  const { findings, readings, hostiles } = soak;
  let crowds = 'no crowds';
  let peak = 0;
  try {
    await soak.play();
    for (const fault of [...readings.faults(minutes), ...hostiles.faults(minutes)]) findings.add(fault);
    crowds = await soak.suffer();
    peak = await program.peak();
    if (peak > PEAK_MAX) findings.add(`the program had ${peak.toFixed()} MiB, more than ${PEAK_MAX}`);
  } catch (error) {
    findings.add(`the soak broke off: ${error instanceof Error ? error.stack : String(error)}`);
  }
  const code = await program.stop();
  if (code !== 0) findings.add(`the program ended with ${code}`);
  if (program.stderr !== '') findings.add(`the program printed ${program.stderr}`);
  if (findings.count > 0) say(`What is wrong, with --seed ${seed}:\n${findings.text()}`);
  process.stdout.write(
    `soak: ${minutes} min, ${soak.calls.toLocaleString('en')} calls, ${findings.count} unexpected, ${readings.text()}, ${hostiles.text()}, peak ${peak.toFixed()} MiB, ${crowds}\n`,
  );
  return findings.count === 0;
}

process.exitCode = (await main(readSettings(process.argv.slice(2)))) ? 0 : 1;
