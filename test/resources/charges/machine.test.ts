import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type ChargeEvent, type ChargeStatus, nextStatus, TRANSITIONS } from '../../../src/records/charge.js';
import type { Answer, Client } from '../../support/sandbox.js';
import { authorised, charged, chargeOf, DAY, stateOf } from './support.js';
import { CHECKOUT_EXPIRE } from '../../../src/records/checkout.js';
import { NO_FUNDS, STEADY } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, type Setup, test } from '../../support/tests.js';

const ACTIONS = [
  'capture whole',
  'capture part',
  'capture more',
  'void',
  'refund all',
  'refund part',
  'refund more',
  'expire',
] as const;
type Action = (typeof ACTIONS)[number];

/** The status that follows, or the code of the refusal. */
type Cell = ChargeStatus | number;

// What every action does in every status, written by hand. An expiry refuses nothing: it leaves alone what is no authorisation.
// oxfmt-ignore
const TABLE: Record<ChargeStatus, Cell[]> = {
  //                    capture whole, part,      more, void,               refund all, part,           more, expire
  PENDING:             [54,            54,        54,   54,                    54,       54,               54,   'PENDING'],
  Authorised:          ['SUCCESS',     'SUCCESS', 77,   'AUTHORISE_CANCELLED', 54,       54,               54,   'AUTHORISE_CANCELLED'],
  SUCCESS:             [54,            54,        54,   54,                    'REFUND', 'PARTIAL_REFUND', 76,   'SUCCESS'],
  PARTIAL_REFUND:      [54,            54,        54,   54,                    'REFUND', 'PARTIAL_REFUND', 76,   'PARTIAL_REFUND'],
  REFUND:              [54,            54,        54,   54,                    54,       54,               54,   'REFUND'],
  FAILED:              [54,            54,        54,   54,                    54,       54,               54,   'FAILED'],
  AUTHORISE_CANCELLED: [54,            54,        54,   54,                    54,       54,               54,   'AUTHORISE_CANCELLED'],
  PENDING_CHECKOUT:    [54,            54,        54,   'AUTHORISE_CANCELLED', 54,       54,               54,   'PENDING_CHECKOUT'],
};

const CELLS = Object.entries(TABLE).flatMap(([status, row]) =>
  row.map((cell, i) => [status as ChargeStatus, ACTIONS[i] ?? 'void', cell] as const),
);

const EVENTS: Record<Action, ChargeEvent> = {
  'capture whole': 'capture',
  'capture part': 'capture',
  'capture more': 'capture',
  void: 'void',
  'refund all': 'refund',
  'refund part': 'refundPart',
  'refund more': 'refund',
  expire: 'expire',
};

const AMOUNT = 20;

/** Brings a charge into a status; only PENDING cannot be reached by cards and is written into the record. */
const REACH: Record<ChargeStatus, (setup: Setup) => Promise<string>> = {
  PENDING: async ({ api, world }) => {
    const id = await charged(api, { Amount: AMOUNT });
    const record = world.charges.find(id);
    if (!record) throw new Error('There is no such charge');
    world.charges.replace({ ...record, status: 'PENDING', successDate: null });
    return id;
  },
  Authorised: ({ api }) => authorised(api, { Amount: AMOUNT }),
  SUCCESS: ({ api }) => charged(api, { Amount: AMOUNT }),
  PARTIAL_REFUND: async ({ api }) => {
    const id = await charged(api, { Amount: AMOUNT });
    await api.del(`/refund/${id}?Amount=5`);
    return id;
  },
  REFUND: async ({ api }) => {
    const id = await charged(api, { Amount: AMOUNT });
    await api.del(`/refund/${id}`);
    return id;
  },
  FAILED: async ({ api }) => textIn(await api.charge(chargeOf(NO_FUNDS)), 'ChargeId'),
  AUTHORISE_CANCELLED: async ({ api }) => {
    const id = await authorised(api, { Amount: AMOUNT });
    await api.del(`/charge/${id}/void`);
    return id;
  },
  PENDING_CHECKOUT: async ({ api, world }) => {
    const begun = await api.post('/charge/checkout', { Amount: AMOUNT, ProviderId: STEADY });
    // Otherwise the check-out expires before an authorisation would.
    world.jobs.cancel(CHECKOUT_EXPIRE, String(begun.body['CheckoutId']));
    return textIn(begun, 'ChargeId');
  },
};

/** The request of an action; an expiry has none. */
const SEND: Record<Exclude<Action, 'expire'>, (api: Client, id: string) => Promise<Answer>> = {
  'capture whole': (api, id) => api.post(`/charge/${id}`, { Amount: AMOUNT }),
  'capture part': (api, id) => api.post(`/charge/${id}`, { Amount: 8 }),
  'capture more': (api, id) => api.post(`/charge/${id}`, { Amount: AMOUNT + 1 }),
  void: (api, id) => api.del(`/charge/${id}/void`),
  'refund all': (api, id) => api.del(`/refund/${id}`),
  'refund part': (api, id) => api.del(`/refund/${id}?Amount=3`),
  'refund more': (api, id) => api.del(`/refund/${id}?Amount=${AMOUNT + 1}`),
};

async function statusOf(api: Client, id: string): Promise<unknown> {
  return (await api.read(`/charge/${id}`))['Status'];
}

describe('the charge machine', () => {
  test('knows the eight statuses and no other', () => {
    expect(Object.keys(TRANSITIONS).sort()).toEqual(Object.keys(TABLE).sort());
    expect(Object.keys(TABLE)).toHaveLength(8);
  });

  test('allows exactly what the table below allows', () => {
    const made = CELLS.map(([status, action]) => {
      const next = nextStatus(status, EVENTS[action]);
      if (action === 'expire') return [status, action, next ?? status];
      if (next === undefined) return [status, action, 54];
      if (action === 'capture more') return [status, action, 77];
      return [status, action, action === 'refund more' ? 76 : next];
    });
    expect(made).toEqual(CELLS);
  });

  test('leaves a pending charge to its provider alone', () => {
    expect(TRANSITIONS.PENDING).toEqual({
      settle: 'SUCCESS',
      authorise: 'Authorised',
      fail: 'FAILED',
    });
  });

  test.for(CELLS)('in %s on %s: %s', async ([status, action, expected]) => {
    const made = setup();
    const { api } = made;
    const id = await REACH[status](made);
    const before = await stateOf(api);

    if (action === 'expire') {
      await api.advance(7 * DAY);
      expect(await statusOf(api, id)).toBe(expected);
      if (expected === status) expect(await stateOf(api)).toEqual(before);
      return;
    }
    const answer = await SEND[action](api, id);
    if (typeof expected === 'string') {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body['Status']).toBe(expected);
      expect(await statusOf(api, id)).toBe(expected);
      return;
    }
    expectRefused(answer, expected === 54 ? 409 : 400, expected);
    expect(answer.body).toMatchObject({ GatewayCode: null, GatewayMessage: null, IsRetryable: false });
    expect(await stateOf(api)).toEqual(before);
  });
});

/** Minor units as the decimal text that a client would send. */
function decimal(minor: number, exponent: number): string {
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

type Step =
  | { readonly kind: 'capture' | 'refund'; readonly minor: number }
  | { readonly kind: 'void' | 'refund all' };

describe('money', () => {
  const currency = fc.constantFrom(['AUD', 2] as const, ['JPY', 0] as const, ['BHD', 3] as const);
  const minor = fc.integer({ min: 1, max: 1200 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('capture' as const), minor }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('refund' as const), minor }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'refund all' as const) }) },
  );

  const sendStep = (api: Client, id: string, exponent: number, todo: Step): Promise<Answer> => {
    switch (todo.kind) {
      case 'capture':
        return api.post(`/charge/${id}`, { Amount: decimal(todo.minor, exponent) });
      case 'refund':
        return api.del(`/refund/${id}?Amount=${decimal(todo.minor, exponent)}`);
      case 'void':
        return api.del(`/charge/${id}/void`);
      default:
        return api.del(`/refund/${id}`);
    }
  };

  test('never goes out twice: refunded is at most captured, captured at most authorised, to the unit', async ({
    api,
  }) => {
    await fc.assert(
      fc.asyncProperty(
        currency,
        minor,
        fc.array(step, { maxLength: 12 }),
        async ([Currency, exponent], all, steps) => {
          const id = await authorised(api, { Amount: decimal(all, exponent), Currency });
          // What happened so far, in minor units, as the answers tell of it.
          let captured: number | null = null;
          let refunded = 0;
          let isOpen = true;
          for (const todo of steps) {
            const answer = await sendStep(api, id, exponent, todo);
            const good = answer.status === 200;
            if (todo.kind === 'capture') {
              expect(good).toBe(isOpen && todo.minor <= all);
              if (good) captured = todo.minor;
            } else if (todo.kind === 'void') expect(good).toBe(isOpen);
            else {
              const asked: number = todo.kind === 'refund' ? todo.minor : (captured ?? 0) - refunded;
              expect(good).toBe(captured !== null && asked > 0 && refunded + asked <= captured);
              if (good) refunded += asked;
            }
            if (good) isOpen = false;
            const { body } = await api.get(`/charge/${id}`);
            expect(body['Amount']).toBe(Number(decimal(captured ?? all, exponent)));
            expect(body['AuthorisationAmount']).toBe(Number(decimal(all, exponent)));
            expect(body['RefundedAmount']).toBe(refunded === 0 ? null : Number(decimal(refunded, exponent)));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('comes back whole in any number of parts', async ({ api }) => {
    const parts = fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(currency, parts, async ([Currency, exponent], minors) => {
        const all = minors.reduce((sum, one) => sum + one, 0);
        const id = await charged(api, { Amount: decimal(all, exponent), Currency });
        const statuses: unknown[] = [];
        for (const one of minors) {
          const { body } = await api.del(`/refund/${id}?Amount=${decimal(one, exponent)}`);
          statuses.push(body['Status']);
        }
        expect(statuses).toEqual([...minors.slice(1).map(() => 'PARTIAL_REFUND'), 'REFUND']);
        const { body } = await api.get(`/charge/${id}`);
        expect(body['RefundedAmount']).toBe(body['Amount']);
        expect(body['Refunds']).toHaveLength(minors.length);
      }),
      { numRuns: 40 },
    );
  });

  test('of every size is returned as it was sent', async ({ api }) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 99_999_999_999 }), async (cents) => {
        const text = decimal(cents, 2);
        const answer = await api.post('/charge/token', { Amount: text, Token: 'tok_approve' });
        expect(answer.text).toContain(`"Amount":${text.replace(/\.?0+$/, '')},`);
      }),
      { numRuns: 40 },
    );
  });
});
