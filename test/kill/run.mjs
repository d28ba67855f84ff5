// The kill test: `npm run test:kill -- --rounds 200 --seed 1`. Kills a server with --state at random moments under load, and starts
// it again: nothing that it reported as saved may be lost, whether its world was in memory or not, no draft may remain, and no two servers may own the folder. Then
// makes 200,000 charges and ends the server with SIGTERM, and shares a folder between containers. Uses the program that was built last, and a temporary folder alone.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFigures } from '../support/figures.mjs';
import { shareFolder } from './containers.mjs';
import { fillAndEnd } from './full.mjs';
import { fill, Ledger, load } from './ledger.mjs';
import { Server } from './server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const rounds = Number(values.rounds);
/** After so many rounds, the test begins again with a new folder. */
const ROUNDS_OF_A_FOLDER = 10;
/** How many charges the folder holds from its second round on. */
const CHARGES = 4000;
/** A server is killed after so many calls at most, however busy the machine is. */
const CALLS_MAX = 300;
const LOOK_EVERY_MS = 2;
const STARTS_MS_MAX = 400;

/** Mulberry32: the same moments for the same seed. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// No server outlives the test, not even if the test fails.
process.on('exit', () => Server.killAll());
const draw = random(Number(values.seed));
const scratch = await mkdtemp(join(tmpdir(), 'playmoney-kill-'));
const findings = [];
const figures = { confirmed: 0, asleep: 0, races: 0, unborn: 0, drafts: 0 };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isDraft = (name) => /^\..*\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);

/** The drafts in the folder of a round, and in that of its worlds. */
async function draftsIn(folder) {
  return (await readdir(folder, { recursive: true })).filter((name) => isDraft(name.split('/').at(-1) ?? ''));
}

/** Starts one server, or four at once, of which one may succeed. Returns it; null if none did. */
async function startOne(path, round) {
  if (draw() < 0.7) return Server.start(path);
  figures.races++;
  const all = await Promise.all(Array.from({ length: 4 }, () => Server.start(path)));
  const ready = all.filter((server) => server.url !== null);
  if (ready.length > 1) findings.push(`round ${round}: ${ready.length} servers own the folder`);
  for (const server of all) {
    if (server.url === null && !server.stderr.includes('is in use by')) {
      findings.push(`round ${round}: a second start failed with: ${server.stderr}`);
    }
  }
  for (const server of ready.slice(1)) await server.kill();
  return ready[0] ?? Server.start(path);
}

async function playRound(folder, ledger, round) {
  const path = join(folder, 'worlds');
  if (draw() < 0.15) {
    figures.unborn++;
    const server = Server.spawn(path);
    await sleep(draw() * STARTS_MS_MAX);
    return server.kill();
  }
  const before = await draftsIn(folder);
  figures.drafts += before.length;
  const server = await startOne(path, round);
  if (server.url === null) return void findings.push(`round ${round}: no start: ${server.stderr}`);
  // It may already write drafts of its own.
  const drafts = (await draftsIn(folder)).filter((name) => before.includes(name));
  if (drafts.length > 0) findings.push(`round ${round}: drafts remain: ${drafts.join(', ')}`);
  for (const lost of await ledger.lostIn(server.url)) findings.push(`round ${round}: ${lost}`);
  if (round % ROUNDS_OF_A_FOLDER === 1) await fill(server.url, CHARGES);
  const stop = load(server.url, ledger);
  const enough = ledger.calls + draw() * CALLS_MAX;
  while (ledger.calls < enough && server.child.exitCode === null) await sleep(LOOK_EVERY_MS);
  await server.kill();
  await stop();
  figures.confirmed += ledger.confirm();
  figures.asleep = Math.max(figures.asleep, ledger.asleep);
}

try {
  let folder = '';
  let ledger = new Ledger();
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_OF_A_FOLDER === 0) {
      folder = await mkdtemp(join(scratch, 'folder-'));
      ledger = new Ledger();
    }
    await playRound(folder, ledger, round);
  }
  const full = await fillAndEnd(join(scratch, 'full'), findings);
  const shared = await shareFolder(join(scratch, 'shared'), findings);
  for (const finding of findings) process.stderr.write(`${finding}\n`);
  printFigures(
    'kill',
    `${rounds} rounds (seed ${values.seed}), ${figures.confirmed} calls confirmed as saved, up to ${figures.asleep} worlds asleep, ${figures.drafts} drafts left by kills, ` +
      `${figures.races} races for the folder, ${figures.unborn} kills during the start; ${full}; ${shared}; ${findings.length} findings`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
