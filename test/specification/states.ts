import { expect } from 'vitest';

import { VISA } from '../support/bodies.js';
import { type Client, good } from '../support/sandbox.js';
import { answers, CHARGE_IN, entryOf, methodOf, statusOf, STORED } from './calls.js';
import type { Proof, Proofs } from './proof.js';

type State = keyof typeof CHARGE_IN;

/** What moves a charge on. */
const TRIGGERS = {
  capture: (api: Client, id: string) => api.post(`/charge/${id}`, { Amount: 15.5 }),
  void: (api: Client, id: string) => api.del(`/charge/${id}/void`),
  refund: (api: Client, id: string) => api.del(`/refund/${id}`),
};

/** That a trigger works on charges in some states, and that all others answer 409 and stay as they are. */
export const worksOnlyIn =
  (trigger: keyof typeof TRIGGERS, ...states: State[]): Proof =>
  async ({ api }) => {
    for (const [state, make] of Object.entries(CHARGE_IN)) {
      const id = await make(api);
      const before = await api.read(`/charge/${id}`);
      const { status } = await TRIGGERS[trigger](api, id);
      const works = states.includes(state as State);
      expect(status, `${trigger} of ${state}`).toBe(works ? 200 : 409);
      if (!works) expect(await api.read(`/charge/${id}`)).toEqual(before);
    }
  };

/** What a charge in a state reads after a trigger. */
const becomes =
  (trigger: keyof typeof TRIGGERS, state: State, fields: object): Proof =>
  async ({ api }) => {
    const id = await CHARGE_IN[state](api);
    await good(TRIGGERS[trigger](api, id));
    expect(await api.read(`/charge/${id}`)).toMatchObject(fields);
  };

/** An entry whose Ccv is stored, and a payment method that has it. */
const withCcv = async (api: Client) => {
  const PaymentMethodId = await methodOf(api, VISA, { VaultCard: true });
  const { VaultId } = await api.read(`/payment_method/${PaymentMethodId}`);
  return { PaymentMethodId, path: `/vault/${String(VaultId)}` };
};

/** That the stored Ccv of an entry is gone after the first transaction that uses the entry. */
export const losesCcv: Proof = async ({ api }) => {
  const { PaymentMethodId, path } = await withCcv(api);
  expect(await api.read(path)).toMatchObject({ CardNumber: VISA, Ccv: '123', HasCvv: true });
  await good(api.post('/charge/payment_method', { Amount: 5, PaymentMethodId, Currency: 'AUD' }));
  expect(await api.read(path)).toMatchObject({ CardNumber: VISA, Ccv: null, HasCvv: false });
};

/** That neither time, reading nor a transaction of something else ends it. */
export const keepsCcvUnused: Proof = async ({ api }) => {
  const { path } = await withCcv(api);
  await good(api.charge({ Amount: 5, ...STORED }));
  await api.advance('30d');
  await api.read(path);
  expect(await api.read(path)).toMatchObject({ Ccv: '123' });
};

const isGone = async (api: Client, path: string): Promise<void> => {
  expect((await api.get(path)).status).toBe(404);
  expect((await api.del(path)).status).toBe(404);
};

/** The states of charges and vault entries. */
export const STATES: Proofs = {
  'States shown: `Authorised`, `SUCCESS`, `PARTIAL_REFUND`.': {
    'a charge is in each of them': async ({ api }) => {
      for (const state of ['Authorised', 'SUCCESS', 'PARTIAL_REFUND'] as const) {
        expect(await statusOf(api, await CHARGE_IN[state](api))).toBe(state);
      }
    },
  },
  '| (none) | Create a charge with Capture true or omitted |': {
    'omitted: captured immediately': answers(
      'POST /charge/card',
      {},
      { Status: 'SUCCESS', Amount: 15.5, SuccessDate: expect.any(String) },
    ),
    'true: captured immediately': answers(
      'POST /charge/card',
      { Capture: true },
      { Status: 'SUCCESS', Amount: 15.5, SuccessDate: expect.any(String) },
    ),
  },
  '| (none) | Create a charge with Capture false |': {
    'next state: Authorised': answers('POST /charge/card', { Capture: false }, { Status: 'Authorised' }),
    'authorised only: nothing is there to refund': async ({ api }) => {
      const id = await CHARGE_IN.Authorised(api);
      expect(await api.read(`/charge/${id}`)).toMatchObject({ AuthorisationAmount: 15.5, SuccessDate: null });
      expect((await TRIGGERS.refund(api, id)).status).toBe(409);
    },
  },
  '| Authorised | Capture (POST /charge/{charge_id}) |': {
    'when the status is Authorised, and not otherwise': worksOnlyIn('capture', 'Authorised'),
    'it completes the payment': becomes('capture', 'Authorised', {
      Status: 'SUCCESS',
      SuccessDate: expect.any(String),
    }),
  },
  '| Authorised | Void (DELETE /charge/{charge_id}/void) |': {
    'when the status is Authorised, and not otherwise': worksOnlyIn('void', 'Authorised'),
    'it cancels the payment': becomes('void', 'Authorised', {
      SuccessDate: null,
      VoidDate: expect.any(String),
    }),
  },
  '| SUCCESS or PARTIAL_REFUND | Refund (DELETE /refund/{charge_id}) |': {
    'when the status is one of these, and not otherwise': worksOnlyIn('refund', 'SUCCESS', 'PARTIAL_REFUND'),
    'it returns funds': becomes('refund', 'SUCCESS', { RefundedAmount: 15.5, Refunds: [{ Amount: 15.5 }] }),
    'it returns the rest of a part': becomes('refund', 'PARTIAL_REFUND', {
      RefundedAmount: 15.5,
      Refunds: [{ Amount: 5 }, { Amount: 10.5 }],
    }),
  },
  'The entry has no named states.': {
    'no named states': async ({ api }) =>
      expect(Object.keys(await api.read(`/vault/${await entryOf(api)}`))).not.toContain('Status'),
    'it exists after creation': async ({ api }) => {
      const path = `/vault/${await entryOf(api)}`;
      await api.advance('3650d');
      await good(api.get(path));
    },
    'it stops existing when deleted': async ({ api }) => {
      const path = `/vault/${await entryOf(api)}`;
      await good(api.del(path));
      await isGone(api, path);
    },
    'it stops existing when its expiry is reached, not before': async ({ api }) => {
      const path = `/vault/${await entryOf(api, { ExpireSeconds: 60 })}`;
      await api.advance(59_999);
      await good(api.get(path));
      await api.advance(1);
      await isGone(api, path);
    },
    'the Ccv is deleted after the first transaction that uses the entry': losesCcv,
    'not before': keepsCcvUnused,
  },
};
