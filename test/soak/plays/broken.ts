import { textAt } from '../player.js';
import { cardCharge } from './bodies.js';
import type { Play } from './play.js';

/** Searches of the charge have its Reference, too. */
const of = (fate: string) => ({ operation: 'charge.create', reference: `${fate}-*` });

/** By their References, so that each call's fate is known beforehand. */
export const FAULTS = {
  name: 'soak',
  rules: [
    { name: 'slow', when: of('slow'), then: { delay: { min: '20ms', max: '400ms' } } },
    { name: 'late', when: of('late'), then: { delay: '150ms', phase: 'after' } },
    { name: 'reset', when: of('reset'), then: { fault: 'reset' } },
    { name: 'lost', when: of('lost'), then: { fault: 'empty', phase: 'after' } },
    { name: 'cut', when: of('cut'), then: { fault: 'truncate', phase: 'after' } },
    { name: 'garbled', when: of('garbled'), then: { fault: 'malformed' } },
    { name: 'dribbled', when: of('dribbled'), then: { fault: 'dribble', phase: 'after' } },
    { name: 'gateway', when: of('gateway'), then: { respond: { status: 502, body: '<html>' } } },
    { name: 'busy', when: of('busy'), then: { respond: { status: 503, retryAfter: 2 } } },
    { name: 'down', when: of('down'), then: { outcome: 'provider_unavailable' } },
  ],
};

/** The status that the client sees, and whether there is a charge: of money, without, or none. */
const FATES: readonly (readonly [rule: string, status: number, charge: 'taken' | 'failed' | 'none'])[] = [
  ['slow', 201, 'taken'],
  ['late', 201, 'taken'],
  ['reset', 0, 'none'],
  ['lost', 0, 'taken'],
  ['cut', 0, 'taken'],
  ['garbled', 200, 'none'],
  ['gateway', 502, 'none'],
  ['busy', 503, 'none'],
  ['down', 400, 'failed'],
  ['plain', 201, 'taken'],
];

const DRIBBLE_MAX_MS = 10_000;

const fated: Play = async (player, book) => {
  const [rule, status, charge] = player.dice.of(FATES);
  const Reference = `${rule}-${book.charges}-${player.dice.below(1e9)}`;
  const cents = 1 + player.dice.below(9_999);
  await player.ask('POST /charge/card', cardCharge(cents, { Reference }), { status });
  if (charge !== 'none') book.addCharge(charge === 'taken' ? cents : 0);
  await player.see(`GET /charge?Limit=1&Reference=${Reference}`, {
    has:
      charge === 'none'
        ? { Count: 0 }
        : { Count: 1, Charges: [{ Status: charge === 'taken' ? 'SUCCESS' : 'FAILED' }] },
  });
};

const byHeader: Play = async (player, book) => {
  const lost = { 'x-sandbox-fault': 'reset; phase=after' };
  const made = await player.ask('POST /charge/card', cardCharge(1_000, { Capture: false }));
  const path = `/charge/${textAt(made, 'ChargeId')}`;
  await player.ask(`POST ${path}`, { Amount: 10 }, { status: 0 }, lost);
  await player.see(`GET ${path}`, { has: { Status: 'SUCCESS', Amount: 10 } });
  book.addCharge(1_000);
  await player.see(`DELETE /refund/${textAt(made, 'ChargeId')}?Amount=4`, { status: 0 }, lost);
  await player.see(`GET ${path}`, { has: { Status: 'PARTIAL_REFUND', RefundedAmount: 4 } });
  book.refunded += 400;
};

const queued: Play = async (player, book) => {
  await player.ask('POST /_sandbox/outcomes', {
    Operation: 'charge.create',
    Outcomes: ['issuer_unavailable', { Fault: 'reset', Phase: 'after' }, 'approve'],
  });
  await player.ask('POST /charge/card', cardCharge(100), { status: 400, code: 991 });
  book.addCharge(0);
  await player.ask('POST /charge/card', cardCharge(100), { status: 0 });
  book.addCharge(100);
  await player.ask('POST /charge/card', cardCharge(100), { has: { Status: 'SUCCESS' } });
  book.addCharge(100);
};

/** Nobody waits for the end of an answer that comes a byte at a time. */
const dribbled: Play = async (player, book) => {
  const Reference = `dribbled-${book.charges}-${player.dice.below(1e9)}`;
  const stream = await player.follow('POST /charge/card', cardCharge(100, { Reference }));
  const began = await stream.until('{"Charge', DRIBBLE_MAX_MS);
  stream.leave();
  player.require(began, `an answer that dribbles did not begin within ${DRIBBLE_MAX_MS} ms`);
  book.addCharge(100);
  await player.see(`GET /charge?Reference=${Reference}`, { has: { Count: 1 } });
};

/** What goes wrong on the way. */
export const BROKEN_PLAYS: readonly Play[] = [fated, fated, fated, fated, dribbled, byHeader, queued];
