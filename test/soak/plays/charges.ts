import { account, cardOf, STEADY, storing } from '../../support/bodies.js';
import { textAt } from '../player.js';
import { amountOf, cardCharge } from './bodies.js';
import type { Play } from './play.js';

/** Cards that are declined, or whose provider fails, with the status and the code of the answer. */
const DECLINES: readonly (readonly [card: string, status: number, code: number])[] = [
  ['4000000000000002', 400, 905],
  ['4000000000009995', 400, 15],
  ['4000000000009987', 400, 941],
  ['4000000000000069', 400, 14],
  ['4000000000000119', 400, 996],
  ['4000000000000622', 400, 93],
  ['4000000000001133', 400, 113],
  ['4000000000005027', 400, 34],
  ['4000000000000374', 400, 37],
];

const AMOUNT_MAX = 40_000;

const byCard: Play = async (player, book) => {
  const cents = 1 + player.dice.below(AMOUNT_MAX);
  const Reference = `order-${book.charges}`;
  const Amount = cents / 100;
  const made = await player.ask('POST /charge/card', cardCharge(cents, { Reference }), {
    has: {
      Status: 'SUCCESS',
      Amount,
      Reference,
      PaymentInformation: { Card: { CardNumber: '4111********1111' } },
    },
  });
  book.addCharge(cents);
  const ChargeId = textAt(made, 'ChargeId');
  await player.see(`GET /charge/${ChargeId}`, { has: made });
  await player.see(`GET /charge?Reference=${Reference}`, {
    has: { Count: 1, Charges: [{ ChargeId }] },
  });
};

const declined: Play = async (player, book) => {
  const [card, status, code] = player.dice.of(DECLINES);
  const body = cardCharge(2_000, { PaymentInformation: cardOf(card) });
  const { ChargeId } = await player.ask('POST /charge/card', body, { status, code });
  book.addCharge(0);
  await player.see(`GET /charge/${String(ChargeId)}`, { has: { Status: 'FAILED', Amount: 20 } });
};

const captured: Play = async (player, book) => {
  const cents = 1_000 + player.dice.below(AMOUNT_MAX);
  const part = 500 + player.dice.below(500);
  const id = textAt(
    await player.ask('POST /charge/card', cardCharge(cents, { Capture: false }), {
      has: { Status: 'Authorised' },
    }),
    'ChargeId',
  );
  await player.ask(`POST /charge/${id}`, { Amount: amountOf(cents + 1) }, { status: 400, code: 77 });
  await player.ask(
    `POST /charge/${id}`,
    { Amount: amountOf(part) },
    { has: { Status: 'SUCCESS', Amount: part / 100 } },
  );
  book.addCharge(part);
  await player.see(`DELETE /charge/${id}/void`, { status: 409, code: 54 });
  await player.ask(`POST /charge/${id}`, { Amount: '1' }, { status: 409, code: 54 });
};

const voided: Play = async (player, book) => {
  const made = await player.ask('POST /charge/card', cardCharge(1_000, { Capture: false }));
  book.addCharge(0);
  const id = textAt(made, 'ChargeId');
  await player.see(`DELETE /charge/${id}/void`, { has: { Status: 'AUTHORISE_CANCELLED' } });
  await player.ask(`POST /charge/${id}`, { Amount: '1' }, { status: 409, code: 54 });
};

const refunded: Play = async (player, book) => {
  const cents = 200 + player.dice.below(AMOUNT_MAX);
  const part = 1 + player.dice.below(199);
  const id = textAt(await player.ask('POST /charge/card', cardCharge(cents)), 'ChargeId');
  book.addCharge(cents);
  await player.see(`DELETE /refund/${id}?Amount=${amountOf(part)}`, {
    has: { Status: 'PARTIAL_REFUND', RefundedAmount: part / 100 },
  });
  book.refunded += part;
  await player.see(`DELETE /refund/${id}?Amount=${amountOf(cents)}`, { status: 400, code: 76 });
  if (player.dice.below(2) === 0) return;
  await player.see(`DELETE /refund/${id}`, {
    has: { Status: 'REFUND', RefundedAmount: cents / 100 },
  });
  book.refunded += cents - part;
  await player.see(`DELETE /refund/${id}`, { status: 409, code: 54 });
};

const byAccount: Play = async (player, book) => {
  const body = (number: string): object => ({
    Amount: 20,
    ProviderId: STEADY,
    BankPaymentInformation: account(number),
  });
  await player.ask('POST /charge/bank_account', body('000123456'), { has: { Status: 'PENDING' } });
  book.addCharge(2_000);
  await player.ask('POST /charge/bank_account', body('000000002'), { status: 400 });
  book.addCharge(0);
};

const byToken: Play = async (player, book) => {
  const Token = textAt(await player.ask('POST /_sandbox/tokens', storing()), 'TokenId');
  await player.ask('POST /charge/token', { Amount: 5, Token }, { has: { Status: 'SUCCESS', Amount: 5 } });
  book.addCharge(500);
  await player.ask('POST /charge/token', { Amount: 5, Token }, { status: 400, code: 51 });
  await player.ask(
    'POST /charge/token',
    { Amount: 5, Token: 'tok_insufficient_funds' },
    { status: 400, code: 15 },
  );
  book.addCharge(0);
};

const leastCost: Play = async (player, book) => {
  const body = { Amount: '7.25', PaymentInformation: cardOf() };
  await player.ask('POST /charge/card/least_cost', body, { has: { Status: 'SUCCESS' } });
  book.addCharge(725);
};

const sent: Play = async (player, book) => {
  const ChargeId = textAt(await player.ask('POST /charge/card', cardCharge(2_000)), 'ChargeId');
  book.addCharge(2_000);
  const name = `group-${book.charges}`;
  const Transfers = [{ Account: 'acct-1', Amount: 5, Currency: 'AUD', Reference: name }];
  const group = { GroupReference: name, ProviderId: STEADY, ChargeId, Transfers };
  const made = await player.ask('POST /transfer', group, { has: { 0: { Amount: 5 } } });
  await player.ask('POST /transfer', group, { status: 409, code: 69 });
  await player.see(`GET /transfer/${textAt(made, '0.TransferId')}`, { has: { Reference: name } });
};

/** Money by every instrument, and back. */
export const CHARGE_PLAYS: readonly Play[] = [
  byCard,
  byCard,
  declined,
  captured,
  voided,
  refunded,
  byAccount,
  byToken,
  leastCost,
  sent,
];
