import { cardCharge } from './bodies.js';
import type { Play } from './play.js';

const WAIT_MAX_MS = 10_000;

/** Somebody looks on at a world, hears of a charge, and goes. */
const lookOn: Play = async (player, book) => {
  const stream = await player.follow('GET /_sandbox/live');
  try {
    // Events have no bodies.
    const Reference = `seen-${performance.now()}`;
    await player.ask('POST /charge/card', cardCharge(100, { Reference }));
    book.addCharge(100);
    const found = await stream.until(Reference, WAIT_MAX_MS);
    player.require(found, `who looked on did not hear of a charge within ${WAIT_MAX_MS} ms`);
  } finally {
    stream.leave();
  }
};

export const LIVE_PLAYS: readonly Play[] = [lookOn];
