import { Book } from './book.js';
import { type Player, UnexpectedAnswer } from './player.js';
import { cardCharge } from './plays/bodies.js';
import { cardOf, NO_FUNDS } from '../support/bodies.js';

/** A world that several play in at the same time, each call by itself, whose book is compared when all are still. */
export class SharedWorld {
  #book = new Book();

  /** Plays until it is over. */
  async play(player: Player, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      try {
        await this.#once(player);
      } catch (error) {
        if (!(error instanceof UnexpectedAnswer)) player.report(`a call broke off: ${String(error)}`);
      }
    }
  }

  async #once(player: Player): Promise<void> {
    const cents = 1 + player.dice.below(9_999);
    const which = player.dice.below(4);
    if (which === 0) return void (await player.ask('GET /charge?Limit=5&SortBy=-Date'));
    if (which === 1) {
      const declined = cardCharge(cents, { PaymentInformation: cardOf(NO_FUNDS) });
      await player.ask('POST /charge/card', declined, { status: 400, code: 15 });
      return this.#book.addCharge(0);
    }
    await player.ask('POST /charge/card', cardCharge(cents), {
      has: { Status: 'SUCCESS', Amount: cents / 100 },
    });
    this.#book.addCharge(cents);
  }

  /** Compares the book, and begins anew. Nothing of this world may be under way. */
  async audit(player: Player): Promise<void> {
    try {
      await this.#book.compare(player);
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error;
    }
    await player.ask('POST /_sandbox/reset', {});
    this.#book = new Book();
  }
}
