import fc from 'fast-check';

import { readAmount } from '../arithmetic.js';
import { BATCH_PACE, EXPONENTS } from '../spec.js';
import { at, type Row, type Subscription } from '../state.js';
import { amountText, checkAmount, define, given, post, put, ref, refuse, textIn, weighted } from './kind.js';

/** Batches and subscriptions: what time makes charges of. */

const HEADER = 'PaymentMethodId,Amount,Currency,Reference';

export const createBatch = define(
  'make a batch',
  fc.record({
    rows: fc.array(
      fc.record({
        method: ref(),
        // In a cell a blank amount or one with a comma would be another cell.
        amount: amountText().filter((text) => !text.includes(',')),
        currency: fc.constantFrom('AUD', 'AUD', 'AUD', 'JPY', 'aud'),
        reference: fc.constantFrom('b1', 'b2'),
      }),
      { maxLength: 4 },
    ),
    fault: weighted([10, [null]], [1, ['count', 'header', 'fields']]),
  }),
  (context, { rows, fault }) => {
    const kept: Row[] = rows.map(({ method, amount, currency, reference }) => {
      const { id, n } = context.find('methods', method, ({ removedAt }) => removedAt === null);
      const text = [id, amount, currency, reference].join(',');
      return { method: n, text, amount, currency: currency.toUpperCase(), reference };
    });
    const lines = [fault === 'header' ? HEADER.toLowerCase() : HEADER, ...kept.map(({ text }) => text)];
    if (fault === 'fields') lines.push('a,b,c');
    const Count = rows.length + (fault === 'count' ? 1 : 0);
    return {
      call: post('/batch/transaction/payment_method', { Count, Description: 'd', Batch: lines.join('\n') }),
      decide: () => {
        if (fault === 'header' || fault === 'fields') refuse(400, 102);
        if (rows.length === 0 || fault === 'count') refuse(400, 101);
        return {
          events: (body) => [{ kind: 'batchMade', batch: { id: textIn(body, 'BatchId'), rows: kept } }],
        };
      },
    };
  },
);

/** Advances that end where a batch is half done are of the most use to its readers. */
export const BATCH_STEPS = [BATCH_PACE, 1000, 1150];

const count = () => fc.constantFrom(null, null, 1, 2, 3);

export const subscribe = define(
  'subscribe',
  fc.record({
    method: ref(),
    amount: amountText(),
    unit: fc.constantFrom('Day' as const, 'Week' as const, 'Month' as const),
    frequency: fc.constantFrom(1, 2),
    count: count(),
    /** Days before or after now. */
    start: fc.constantFrom(null, -1, 0, 1, 30),
    retry: fc.oneof(
      fc.constant(null),
      fc.record({
        maximum: fc.constantFrom(0, 1, 2),
        unit: fc.constantFrom('Hour' as const, 'Day' as const),
        frequency: fc.constantFrom(1, 12),
      }),
    ),
  }),
  (context, args) => {
    const { state } = context;
    const { id, n } = context.find('methods', args.method);
    const start = args.start === null ? null : state.now + args.start * 86_400_000;
    const { retry } = args;
    const body = given({
      PaymentMethodId: id,
      StartDate: start && new Date(start).toISOString(),
      Amount: args.amount,
      Currency: 'AUD',
      Interval: args.unit,
      Frequency: args.frequency,
      EndAfter: args.count && { Count: args.count },
      Retry: retry && { Maximum: retry.maximum, Interval: retry.unit, Frequency: retry.frequency },
    });
    return {
      call: post('/subscription/payment_method', body),
      decide: () => {
        checkAmount(args.amount);
        const read = readAmount(args.amount, EXPONENTS['AUD'] ?? 2);
        if ('code' in read) return refuse(400, read.code);
        context.live('methods', n);
        const subscription = (made: string): Subscription => ({
          id: made,
          method: n ?? 0,
          minor: read.minor,
          currency: 'AUD',
          unit: args.unit,
          frequency: args.frequency,
          count: args.count,
          retry,
          anchor: Math.max(start ?? state.now, state.now),
          status: 'Active',
          turn: 0,
          retries: 0,
          lastDue: null,
          charged: 0,
        });
        return {
          events: (answer) => [
            { kind: 'subscribed', subscription: subscription(textIn(answer, 'SubscriptionId')) },
          ],
        };
      },
    };
  },
);

/** What may follow what. */
const NEXT: Readonly<Record<Subscription['status'], readonly Subscription['status'][]>> = {
  Active: ['Suspended', 'Cancelled', 'Complete'],
  Suspended: ['Active', 'Cancelled', 'Complete'],
  Cancelled: [],
  Complete: [],
};

export const moveSubscription = define(
  'move a subscription',
  fc.record({
    subscription: ref(),
    status: fc.constantFrom(
      'Active' as const,
      'Suspended' as const,
      'Cancelled' as const,
      'Complete' as const,
    ),
  }),
  (context, { subscription, status }) => {
    const { id, n } = context.find('subscriptions', subscription);
    return {
      call: put(`/subscription/${id}/status`, { Status: status }),
      decide: () => {
        if (n === null) return refuse(404, 104);
        if (!NEXT[at(context.state.subscriptions, n).status].includes(status)) refuse(409, 108);
        return { events: () => [{ kind: 'subscriptionMoved', subscription: n, status }] };
      },
    };
  },
);
