import fc from 'fast-check';

import { readAmount } from '../arithmetic.js';
import type { Event } from '../event.js';
import { askProvider } from '../provider.js';
import { EXPONENTS, PROVIDER } from '../spec.js';
import { at, type Charge, leftOf } from '../state.js';
import { checkAmount, type Context, define, del, header, post, ref, refuse, type Verdict } from './kind.js';
import { share, textOfShare } from './shares.js';

/** What becomes of a charge after it was made. */

type Change = 'capture' | 'void' | 'refund';

/** Asks the provider; a decline is noted with the charge, which stays as it was. */
function decideChange(
  context: Context,
  n: number,
  asked: Change,
  minor: number,
  told: string | null,
  event: Event,
): Verdict {
  const { provider, source, currency } = at(context.state.charges, n);
  const { trigger } = source;
  const { decline, used } = askProvider(context.state, { asked, provider, trigger, minor, currency, told });
  const declined: Event = { kind: 'declined', charge: n };
  return { decline, events: () => [...used, decline === null ? event : declined] };
}

/** The charge of a number in one of some statuses: unknown is 404 with code 84, another status 409 with code 54. */
function require(context: Context, n: number | null, ...statuses: Charge['status'][]): Charge {
  if (n === null) return refuse(404, 84);
  const found = at(context.state.charges, n);
  return statuses.includes(found.status) ? found : refuse(409, 54);
}

function minorOf(text: string, { currency }: Charge): number {
  const read = readAmount(text, EXPONENTS[currency] ?? 2);
  return 'code' in read ? refuse(400, read.code) : read.minor;
}

const isAuthorised = ({ status }: Charge): boolean => status === 'Authorised';
/** The statuses in which money can leave a charge. */
export const REFUNDABLE: readonly Charge['status'][] = ['SUCCESS', 'PARTIAL_REFUND'];
const isRefundable = ({ status }: Charge): boolean => REFUNDABLE.includes(status);

export const capture = define(
  'capture',
  fc.record({ charge: ref(), share: share(), header: header(), path: fc.constantFrom('', '/capture') }),
  (context, args) => {
    const { id, n } = context.find('charges', args.charge, isAuthorised);
    const known = n === null ? undefined : context.state.charges[n];
    const Amount = textOfShare(args.share, known?.authorised ?? known?.minor ?? 1000, known?.currency);
    return {
      call: post(`/charge/${id}${args.path}`, { Amount }, args.header),
      decide: () => {
        checkAmount(Amount);
        const told = context.told('charge.capture', Amount, args.header);
        const found = require(context, n, 'Authorised');
        const minor = minorOf(Amount, found);
        const authorised = found.authorised ?? 0;
        if (minor > authorised) refuse(400, 77);
        if (minor < authorised && found.provider === PROVIDER.wholeCapture) refuse(400, 78);
        const event: Event = { kind: 'captured', charge: n ?? 0, minor };
        return decideChange(context, n ?? 0, 'capture', minor, told, event);
      },
    };
  },
);

const decideVoid = (context: Context, n: number | null, wish: string | null): Verdict => {
  const told = context.told('charge.void', null, wish);
  const found = require(context, n, 'Authorised');
  return decideChange(context, n ?? 0, 'void', found.minor, told, { kind: 'voided', charge: n ?? 0 });
};

export const cancel = define('void', fc.record({ charge: ref(), header: header() }), (context, args) => {
  const { id, n } = context.find('charges', args.charge, isAuthorised);
  return { call: del(`/charge/${id}/void`, args.header), decide: () => decideVoid(context, n, args.header) };
});

const decideRefund = (
  context: Context,
  n: number | null,
  amount: string | null,
  wish: string | null,
): Verdict => {
  const told = context.told('charge.refund', amount, wish);
  const found = require(context, n, ...REFUNDABLE);
  const left = leftOf(context.state, n ?? 0);
  const minor = amount === null ? left : minorOf(amount, found);
  if (minor > left || minor === 0) refuse(400, 76);
  return decideChange(context, n ?? 0, 'refund', minor, told, { kind: 'refunded', charge: n ?? 0, minor });
};

export const refund = define(
  'refund',
  fc.record({
    charge: ref(),
    share: fc.oneof(fc.constant(null), share()),
    header: header(),
    via: fc.constantFrom('query', 'body', 'undo'),
  }),
  (context, args) => {
    const { id, n } = context.find('charges', args.charge, isRefundable);
    const known = n === null ? undefined : context.state.charges[n];
    const left = n === null ? 1000 : leftOf(context.state, n);
    const amount = args.share === null ? null : textOfShare(args.share, left, known?.currency);
    const query = amount === null || args.via === 'body' ? '' : `?Amount=${encodeURIComponent(amount)}`;
    const call = del(`${args.via === 'undo' ? '/charge/' : '/refund/'}${id}${query}`, args.header);
    return {
      call: amount !== null && args.via === 'body' ? { ...call, body: { Amount: amount } } : call,
      decide: () => {
        if (amount !== null) checkAmount(amount);
        const isVoid = args.via === 'undo' && amount === null && known?.status === 'Authorised';
        return isVoid ? decideVoid(context, n, args.header) : decideRefund(context, n, amount, args.header);
      },
    };
  },
);

/** Time that a tester moves for one record alone. */
const SIMULATED = ['charge.settle', 'authorisation.expire', 'batch.fail'] as const;

export const simulate = define(
  'have something happen now',
  fc.record({ action: fc.constantFrom(...SIMULATED), record: ref() }),
  (context, { action, record }) => {
    const { batches } = context.state;
    const isBatch = action === 'batch.fail';
    const status = action === 'charge.settle' ? 'PENDING' : 'Authorised';
    const { id, n } = isBatch
      ? context.find('batches', record)
      : context.find('charges', record, (one) => one.status === status);
    return {
      call: post('/_sandbox/simulate', { Action: action, Ref: id }),
      decide: () => {
        if (n === null) return refuse(404, isBatch ? 101 : 84);
        if (isBatch) {
          if (['SUCCESS', 'FAILED'].includes(at(batches, n).status)) refuse(409, 101);
          return { events: () => [{ kind: 'batchFailed', batch: n }] };
        }
        const charge = require(context, n, status);
        if (action === 'authorisation.expire') return { events: () => [{ kind: 'voided', charge: n }] };
        // A card's charge waits for its payer, not for a bank.
        if (charge.source.type === 'CARD') refuse(409, 54);
        return { events: () => [{ kind: 'bankAsked', charge: n }] };
      },
    };
  },
);
