import { Book } from './book.js';
import { type Player, UnexpectedAnswer } from './player.js';
import type { Play } from './plays/play.js';

export interface WorldPlan {
  readonly plays: readonly Play[];
  /** What a fresh world is prepared with. */
  readonly prepare?: (player: Player) => Promise<unknown>;
  /** How it becomes fresh again: by a reset; by a restored snapshot, which keeps the journal; `never`: its plays leave nothing behind. */
  readonly renewed: 'reset' | 'restored' | 'never';
}

/** Plays between two beginnings: some worlds begin anew sooner than others, so that they do not all do so at once. */
const PLAYS_MIN = 15;
const PLAYS_MORE = 30;
const FRESH = '/_sandbox/snapshots/fresh';

/** Plays in a world, one play after the other, until it is over. */
export async function live(player: Player, plan: WorldPlan, isOver: () => boolean): Promise<void> {
  let isNew = true;
  while (!isOver()) {
    try {
      const book = await begin(player, plan, isNew);
      isNew = false;
      const plays = PLAYS_MIN + player.dice.below(PLAYS_MORE);
      for (let i = 0; i < plays && !isOver(); i++) await player.dice.of(plan.plays)(player, book);
      if (plan.renewed !== 'never') await book.compare(player);
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) player.report(`a play broke off: ${String(error)}`);
    }
  }
}

async function begin(player: Player, { renewed, prepare }: WorldPlan, isNew: boolean): Promise<Book> {
  if (renewed === 'reset' || isNew) {
    await player.ask('POST /_sandbox/reset', {}, { has: { Counts: { Charges: 0 } } });
    await prepare?.(player);
    if (renewed === 'restored') await player.ask(`PUT ${FRESH}`, {});
  } else if (renewed === 'restored') {
    await player.ask(`POST ${FRESH}/restore`, {}, { has: { Counts: { Charges: 0 } } });
  }
  return new Book();
}
