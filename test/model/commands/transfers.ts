import fc from 'fast-check';

import { major, readAmount } from '../arithmetic.js';
import { DAY, EXPONENTS, PROVIDER } from '../spec.js';
import { at, leftOf, type State } from '../state.js';
import { type Body, currency, define, get, given, post, ref, refuse, textIn } from './kind.js';
import { REFUNDABLE } from './changes.js';
import { share, textOfShare } from './shares.js';

/** What is paid out of charges: transfers to accounts, and settlements. */

export const transfer = define(
  'transfer',
  fc.record({
    charge: ref(),
    group: fc.constantFrom('g1', 'g2', 'g3', 'g4', 'g5', 'g6'),
    /** Null: the currency of the charge. */
    currency: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: currency() }),
    parts: fc.array(fc.record({ share: share(), reference: fc.constantFrom(null, null, 't1', 't2', 't3') }), {
      maxLength: 2,
    }),
  }),
  (context, args) => {
    const { id, n } = context.find('charges', args.charge, ({ status }) => REFUNDABLE.includes(status));
    const { state } = context;
    const known = n === null ? undefined : state.charges[n];
    const Currency = args.currency ?? known?.currency ?? 'AUD';
    const code = Currency.toUpperCase();
    const parts = args.parts.map(({ share: part, reference }) => {
      const amount = textOfShare(
        part,
        (n === null ? 0 : leftOf(state, n)) || (known?.minor ?? 1000),
        known?.currency,
      );
      return { amount, reference };
    });
    const Transfers = parts.map(({ amount, reference }) =>
      given({ Account: 'a-1', Amount: amount, Currency, Reference: reference }),
    );
    const ProviderId = known?.provider ?? PROVIDER.steady;
    const body = { GroupReference: args.group, ProviderId, ChargeId: id, Transfers };
    return {
      call: post('/transfer', body),
      decide: () => {
        for (const { amount } of parts) if ('code' in readAmount(amount, 4)) refuse(400, 60);
        if (parts.length > 0 && EXPONENTS[code] === undefined) refuse(400, 29);
        if (parts.length === 0) refuse(400, 67);
        const minors = parts.map(({ amount }) => {
          const read = readAmount(amount, EXPONENTS[code] ?? 2);
          return 'code' in read ? refuse(400, 60) : read.minor;
        });
        if (n === null) return refuse(404, 84);
        const charge = at(state.charges, n);
        if (!REFUNDABLE.includes(charge.status)) refuse(409, 54);
        if (state.transfers.some(({ group }) => group === args.group)) refuse(409, 69);
        const references = parts.flatMap(({ reference }) => reference ?? []);
        const isTaken = references.some((one) => state.transfers.some(({ reference }) => reference === one));
        if (isTaken || new Set(references).size < references.length) refuse(409, 70);
        if (code !== charge.currency) refuse(400, 29);
        const total = minors.reduce((sum, minor) => sum + minor, 0);
        if (total > leftOf(state, n)) refuse(400, 68);
        return {
          events: (answer) => [
            {
              kind: 'transferred',
              transfers: parts.map(({ reference }, i) => ({
                id: textIn(answer, String(i), 'TransferId'),
                charge: n,
                group: args.group,
                reference,
                minor: minors[i] ?? 0,
                total,
              })),
            },
          ],
        };
      },
    };
  },
);

/** Money reaches the merchant at the start of the day after a charge, and leaves again so after a refund or a transfer. */
function settlementsOf(state: State): Body[] {
  const dayAfter = (instant: number): number => (Math.floor(instant / DAY) + 1) * DAY;
  const all = state.charges.flatMap((charge, n) => {
    const { successAt, refunds, refundedAt, minor } = charge;
    if (successAt === null) return [];
    const parts = [
      { created: successAt, minor },
      ...refunds.map((back, i) => ({ created: refundedAt[i] ?? 0, minor: -back })),
      ...state.transfers.flatMap((one) => (one.charge === n ? [{ created: one.at, minor: -one.minor }] : [])),
    ];
    return parts.map((part, i) => ({ ...part, charge, order: [part.created, n, i] }));
  });
  return all
    .filter(({ created }) => dayAfter(created) <= state.now)
    .toSorted((a, b) => a.order.reduce((order, one, i) => order || (b.order[i] ?? 0) - one, 0))
    .map(({ charge, created, minor }) => ({
      ChargeId: charge.id,
      Amount: major(minor, charge.currency),
      CreatedDate: new Date(created).toISOString(),
      SettlementDate: new Date(dayAfter(created)).toISOString(),
    }));
}

export const settlements = define('list settlements', fc.constant({}), ({ state }) => ({
  call: get('/settlements?StartDate=2026-01-01'),
  decide: () => ({
    check: (answer) => {
      const shown = (answer as unknown as Body[]).map(
        ({ ChargeId, Amount, CreatedDate, SettlementDate }) => ({
          ChargeId,
          Amount,
          CreatedDate,
          SettlementDate,
        }),
      );
      const [said, expected] = [shown, settlementsOf(state)].map((one) => JSON.stringify(one));
      if (said !== expected) throw new Error(`Settlements are ${said}, the model finds ${expected}`);
    },
  }),
}));
