import { account, cardOf, NO_FUNDS, STEADY, storing, VISA } from '../../support/bodies.js';
import { textAt } from '../player.js';
import { amountOf, cardCharge } from './bodies.js';
import type { Play } from './play.js';

const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
const ROWS_MAX = 40;

async function store(player: Parameters<Play>[0], card: string): Promise<string> {
  const body = storing({ PaymentInformation: cardOf(card) });
  return textAt(await player.ask('POST /payment_method/card', body), 'PaymentMethodId');
}

const batch: Play = async (player, book) => {
  const good = await store(player, VISA);
  const bad = await store(player, NO_FUNDS);
  const rows = Array.from({ length: 1 + player.dice.below(ROWS_MAX) }, () =>
    player.dice.of([good, good, bad, 'nobody']),
  );
  const of = (method: string): number => rows.filter((row) => row === method).length;
  const lines = rows.map((method, i) => `${method},${amountOf(500)},AUD,row-${i}`);
  const body = { Count: rows.length, Description: 'May', Batch: [HEADER, ...lines].join('\n') };
  const made = await player.ask('POST /batch/transaction/payment_method', body, {
    has: { Status: 'RECEIVED' },
  });
  const path = `/batch/${textAt(made, 'BatchId')}`;
  await player.advance('1s');
  await player.see(`GET ${path}/status`, { has: { Status: 'CREATED' } });
  await player.advance('1050ms');
  await player.see(`GET ${path}/status`, { has: { Status: 'IN_PROGRESS' } });
  await player.advance('1m');
  const Success = of(good);
  const Failure = rows.length - Success;
  await player.see(`GET ${path}`, {
    has: { Status: 'SUCCESS', Count: rows.length, Success, Failure },
  });
  for (let i = 0; i < Success; i++) book.addCharge(500);
  for (let i = 0; i < of(bad); i++) book.addCharge(0);
  await player.see(`GET /charge?BatchId=${textAt(made, 'BatchId')}&Limit=1`, {
    has: { Count: Success + of(bad) },
  });
};

const subscription: Play = async (player, book) => {
  const PaymentMethodId = await store(player, VISA);
  const terms = { PaymentMethodId, Amount: '9.5', Currency: 'AUD', Interval: 'Day', EndAfter: { Count: 5 } };
  const made = await player.ask('POST /subscription/payment_method', terms);
  const path = `/subscription/${textAt(made, 'SubscriptionId')}`;
  await player.advance('49h');
  const found = `GET /charge?PaymentMethodId=${PaymentMethodId}`;
  await player.see(found, { has: { Count: 3, Charges: [{ Amount: 9.5, Status: 'SUCCESS' }] } });
  await player.ask(`PUT ${path}/status`, { Status: 'Suspended' }, { has: { Status: 'Suspended' } });
  await player.advance('3d');
  await player.see(found, { has: { Count: 3 } });
  await player.see(`DELETE ${path}`, { has: { Status: 'Cancelled' } });
  for (let i = 0; i < 3; i++) book.addCharge(950);
};

const expiry: Play = async (player, book) => {
  const charge = textAt(
    await player.ask('POST /charge/card', cardCharge(1_000, { Capture: false })),
    'ChargeId',
  );
  book.addCharge(0);
  const Token = textAt(await player.ask('POST /_sandbox/tokens', storing()), 'TokenId');
  const made = await player.ask('POST /vault', { CardNumber: VISA, ExpireSeconds: 3_600 });
  await player.advance('16m');
  await player.ask('POST /charge/token', { Amount: 5, Token }, { status: 400, code: 51 });
  await player.advance('1h');
  await player.see(`GET /vault/${textAt(made, 'VaultId')}`, { status: 404, code: 62 });
  await player.advance('7d');
  await player.see(`GET /charge/${charge}`, { has: { Status: 'AUTHORISE_CANCELLED' } });
};

const settlement: Play = async (player, book) => {
  const body = { Amount: 20, ProviderId: STEADY, BankPaymentInformation: account('000123456') };
  const id = textAt(
    await player.ask('POST /charge/bank_account', body, { has: { Status: 'PENDING' } }),
    'ChargeId',
  );
  book.addCharge(2_000);
  await player.advance('7d');
  await player.see(`GET /charge/${id}`, { has: { Status: 'SUCCESS' } });
};

/** What goes by the clock, which these move. */
export const TIMED_PLAYS: readonly Play[] = [batch, batch, subscription, expiry, settlement];
