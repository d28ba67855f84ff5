import { wrongMoney } from '../model/money.js';
import type { Members, Player } from './player.js';

const PAGE = 500;
/** Statuses of charges whose money was taken, whatever went back later. */
const TAKEN = new Set(['SUCCESS', 'PENDING', 'PARTIAL_REFUND', 'REFUND']);

/** What a player did to its world since it was fresh; amounts in cents. */
export class Book {
  charges = 0;
  taken = 0;
  refunded = 0;

  /** Adds a stored charge, and the amount that was taken. */
  addCharge(cents: number): void {
    this.charges++;
    this.taken += cents;
  }

  /** Compares every charge of the world with what was added. */
  async compare(player: Player): Promise<void> {
    let seen = 0;
    let taken = 0;
    let refunded = 0;
    do {
      const page = await player.see(`GET /charge?Limit=${PAGE}&Skip=${seen}`, {
        has: { Count: this.charges },
      });
      const charges = page['Charges'] as Members[];
      for (const charge of charges) {
        const back = centsOf(charge['RefundedAmount']);
        const wrong = wrongMoney(charge);
        player.require(wrong === null, String(wrong));
        if (TAKEN.has(String(charge['Status']))) taken += centsOf(charge['Amount']);
        refunded += back;
      }
      seen += charges.length;
      player.require(
        charges.length > 0 || seen >= this.charges,
        'a page of charges is empty before the last one',
      );
    } while (seen < this.charges);
    const found = JSON.stringify({ seen, taken, refunded });
    const noted = JSON.stringify({ seen: this.charges, taken: this.taken, refunded: this.refunded });
    player.require(found === noted, `the charges of the world make ${found}, those that were noted ${noted}`);
  }
}

export function centsOf(amount: unknown): number {
  return Math.round(Number(amount ?? 0) * 100);
}
