import { cardOf, STEADY } from '../../support/bodies.js';
import { cardCharge } from './bodies.js';
import type { Play } from './play.js';

/** Calls that change nothing, with the status and code of their refusals. */
const WRONG: readonly (readonly [
  call: string,
  body: object | string | undefined,
  status: number,
  code: number,
])[] = [
  ['POST /charge/card', cardCharge(0), 400, 74],
  ['POST /charge/card', cardCharge(100, { Amount: '1,00' }), 400, 2],
  ['POST /charge/card', cardCharge(100, { Currency: 'XAU' }), 400, 29],
  ['POST /charge/card', cardCharge(100, { ProviderId: 'nobody' }), 400, 39],
  ['POST /charge/card', cardCharge(100, { PaymentInformation: cardOf('4111111111111112') }), 400, 5],
  ['POST /charge/card', cardCharge(100, { PaymentInformation: cardOf('411111') }), 400, 55],
  ['POST /charge/card', cardCharge(100, { PaymentInformation: undefined }), 400, 81],
  ['POST /charge/card', '{"Amount":1,"Amount":2}', 400, 90],
  ['POST /charge/card', '{"Amount":', 400, 90],
  ['POST /charge/card', `{"Reference":"${'x'.repeat(70_000)}"}`, 413, 90],
  ['POST /charge/token', { Amount: 5, Token: 'tok_used' }, 400, 51],
  ['POST /charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId: 'f'.repeat(32) }, 404, 52],
  ['POST /charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId: 'f'.repeat(32) }, 404, 56],
  ['POST /batch/transaction/payment_method', { Count: 2, Description: 'd', Batch: 'x' }, 400, 102],
  ['POST /vault', { CardNumber: '4111111111111111', ExpireSeconds: -1 }, 400, 83],
  ['POST /payment_method/card', { ProviderId: STEADY }, 400, 81],
  ['POST /_sandbox/clock/advance', { By: 'soon' }, 400, 90],
  [
    'PUT /_sandbox/scenario',
    { Definition: { name: 'x', rules: [{ then: { outcome: 'riches' } }] } },
    400,
    90,
  ],
  ['GET /charge?Limit=0', undefined, 400, 90],
  ['GET /charge?AddedAfter=yesterday', undefined, 400, 90],
  [`GET /charge/${'f'.repeat(32)}`, undefined, 404, 84],
  [`GET /vault/${'f'.repeat(32)}`, undefined, 404, 62],
  ['GET /charges', undefined, 404, 90],
  ['PATCH /charge/card', {}, 405, 90],
];

const refused: Play = async (player) => {
  const [call, body, status, code] = player.dice.of(WRONG);
  await player.ask(call, body, { status, code });
};

const strangers: Play = async (player) => {
  const health = 'GET /_sandbox/health';
  await player.see('GET /charge', { status: 401, code: 40 }, { 'x-secretkey': 'sk_live_x' });
  await player.see(health, { status: 403, code: 90 }, { host: 'evil.com' });
  await player.see(health, { status: 403, code: 90 }, { origin: 'https://evil.com' });
};

/** A world that comes and goes. */
const guest: Play = async (player) => {
  const key = { 'x-secretkey': `sk_test_guest_${player.dice.below(1_000_000)}` };
  await player.ask('POST /charge/card', cardCharge(100), {}, key);
  const { World } = await player.see('GET /_sandbox/world', { has: { Counts: { Charges: 1 } } }, key);
  await player.see(`DELETE /_sandbox/worlds/${String(World)}`, { has: { Counts: { Charges: 1 } } }, key);
};

const nothing: Play = async (player) => {
  await player.see('GET /charge', { has: { Count: 0 } });
  await player.see('GET /_sandbox/world', { has: { Counts: { Charges: 0, QueuedJobs: 0 } } });
  await player.ask('GET /_sandbox/journal?Limit=1');
};

/** What is refused; its world is never reset, so its journal is full before long. */
export const WRONG_PLAYS: readonly Play[] = [
  ...Array.from({ length: 20 }, () => refused),
  strangers,
  guest,
  nothing,
];
