import { CODE, refuseField } from '../core/errors.js';
import { expiryPassed } from '../core/time.js';
import { cardTrigger } from '../outcomes/magic.js';
import { agreementStatus } from '../outcomes/magic-accounts.js';
import type { Card, CardData, PayTo, PayToData } from '../payment-methods/record.js';
import type { World } from '../world.js';

/** Cards and agreements as they come in, whether for a token, a payment method or a charge. */

/** What may be known of a card outside the vault. */
export function cardOf(world: World, data: CardData): Card {
  return world.cards.describe(data.pan, data.expiry, data.cardholder, cardTrigger(data.pan));
}

/** Refuses a card whose month is over, by the world's clock: 400 with code 14, and nothing is stored. */
export function requireUnexpired(world: World, expiry: string, member: string): void {
  if (!expiryPassed(expiry, world.now)) return;
  const detail = `The card expired at the end of ${expiry}. Use a later ExpiryDate.`;
  refuseField(CODE.ExpiredCard, member, 'is in the past', detail);
}

/** An agreement of PayTo as its provider takes it up: for the n-th token or payment method. */
export function payToOf(world: World, data: PayToData, owner: 'token' | 'paymentMethod', n: number): PayTo {
  return {
    type: 'PAYTO',
    payToId: world.chance.identifiers(`payTo:${owner}`).at(n),
    ...data,
    status: agreementStatus(data.payId),
    trigger: null,
  };
}
