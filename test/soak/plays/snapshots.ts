import { membersOf } from '../player.js';
import { cardCharge } from './bodies.js';
import type { Play } from './play.js';

const CHARGES_MAX = 6;

async function countCharges(player: Parameters<Play>[0]): Promise<number> {
  return Number((await player.ask('GET /charge?Limit=1'))['Count']);
}

const snapshot: Play = async (player, book) => {
  const name = `/_sandbox/snapshots/before-${player.dice.below(3)}`;
  const before = await player.send('GET /charge?Limit=20');
  await player.ask(`PUT ${name}`, {});
  const Added = 1 + player.dice.below(CHARGES_MAX);
  for (let i = 0; i < Added; i++) await player.ask('POST /charge/card', cardCharge(100));
  await player.see(`GET ${name}/diff`, {
    has: { Counts: { Charges: { Added, Changed: 0, Removed: 0 } } },
  });
  await player.ask(`POST ${name}/restore`, {}, { has: { Counts: { Charges: book.charges } } });
  const after = await player.send('GET /charge?Limit=20');
  player.require(after.text === before.text, 'a restored world is not what it was');
};

const document: Play = async (player, book) => {
  await player.ask('POST /charge/card', cardCharge(100));
  book.addCharge(100);
  const before = await player.send('GET /charge?Limit=20');
  const state = await player.send('GET /_sandbox/state');
  player.require(
    state.status === 200 && membersOf(state)['Format'] === 'playmoney-state',
    'no document of the state came',
  );
  await player.ask('POST /_sandbox/reset', {}, { has: { Counts: { Charges: 0 } } });
  player.require((await countCharges(player)) === 0, 'a fresh world has charges');
  await player.ask('PUT /_sandbox/state', state.text);
  const after = await player.send('GET /charge?Limit=20');
  player.require(after.text === before.text, 'a world from its document is not what it was');
};

/** Worlds that are kept and come back. */
export const SNAPSHOT_PLAYS: readonly Play[] = [snapshot, snapshot, document];
