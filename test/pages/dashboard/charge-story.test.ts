import { describe, expect, test } from 'vitest';

import {
  summariseFailures,
  listPossibleSteps,
  listReachedStates,
} from '../../../src/pages/dashboard/text/charge-states.js';
import { toPlainText } from '../../../src/pages/dashboard/text/sentence.js';
import { buildStory } from '../../../src/pages/dashboard/text/charge-story.js';
import { type Client, good } from '../../support/sandbox.js';
import { account, cardOf, STEADY, storing, textIn } from '../../support/stored.js';
import { type Receiver, setup } from '../../webhooks/support.js';
import { hotel, HOOKS, lookAt } from './look.js';

/** A story in plain text, with ordinary spaces. */
async function told(api: Client, id: string): Promise<string[]> {
  const look = await lookAt(api, id);
  const { what, why, next } = buildStory(look, look.explained, look.known);
  return [what, why, next].map((said) => toPlainText(said).replaceAll('\u00a0', ' '));
}

const RULE =
  'The rule every third of the scenario flaky-captures answered provider_unavailable. The same call may succeed later.';
const UNHEARD = 'The webhook to /hooks/pay has not arrived: it failed twice and is tried again in 2 min.';

describe('the story of a hotel', () => {
  test('says what happened, why, and what happens next.', async () => {
    const { api, id } = await hotel();
    expect(await told(api, id)).toEqual([
      'Authorised at 11:31. The capture of AUD 200.00 at 11:34 was declined with 400, code 34; the charge did not change.',
      RULE,
      `${UNHEARD} The authorisation expires in 6 d 23 h.`,
    ]);
  });

  test('says why after the calls have left the journal.', async () => {
    const { api, id } = await hotel();
    await api.del('/_sandbox/journal');
    expect((await told(api, id)).slice(0, 2)).toEqual([
      'Authorised at 11:31. The capture at 11:34 failed: Provider Service Error; the charge did not change.',
      RULE,
    ]);
  });

  test('ends with the expiry, and later with what the webhook about it became.', async () => {
    const { api, id, receiver } = await hotel();
    receiver.answer = () => ({ status: 204 });
    await api.advance('8d');
    expect(await told(api, id)).toEqual([
      'Authorised AUD 240.00 on 1 Jan at 11:31. It expired on 8 Jan at 11:31. 1 earlier call failed.',
      'Nobody captured it in time.',
      'All webhooks arrived. This is final.',
    ]);
  });
});

interface Play {
  readonly api: Client;
  readonly receiver: Receiver;
  /** Makes a charge of AUD 20.00 by card. */
  readonly charge: (more?: object, headers?: Record<string, string>) => Promise<string>;
}

const NO_HOOK = 'No webhook is sent for it.';
const APPROVED = 'Approved: nothing said otherwise.';
const capture = (api: Client, id: string, headers?: Record<string, string>) =>
  api.post(`/charge/${id}`, { Amount: 5 }, headers).catch(() => null);

test.each<
  [name: string, play: (play: Play) => Promise<string>, story: [what: string, why: string, next: string]]
>([
  ['a charge', ({ charge }) => charge(), ['Charged at 00:00.', APPROVED, `${NO_HOOK} It can be refunded.`]],
  [
    'a declined charge',
    ({ charge }) => charge({ PaymentInformation: cardOf('4000000000009995') }),
    [
      'Declined at 00:00: Insufficient Funds, gateway code 51.',
      'The test card 4000000000009995 answered insufficient_funds. The same call may succeed later.',
      `${NO_HOOK} This is final.`,
    ],
  ],
  [
    'a decline that the request asked for, of which the shop will hear',
    ({ charge }) => charge({ Webhook: { Url: HOOKS } }, { 'x-sandbox-outcome': 'do_not_honor' }),
    [
      'Declined at 00:00: Do not honor, gateway code 05.',
      'The request asked for do_not_honor by the header x-sandbox-outcome. The same call will fail again.',
      'The webhook to /hooks/pay is sent now. This is final.',
    ],
  ],
  [
    'a refused capture',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await api.post(`/charge/${id}`, { Amount: 500 });
      return id;
    },
    [
      'Authorised at 00:00. The capture of AUD 500.00 at 00:00 was refused with 400, code 77; the charge did not change.',
      'The service refused the call. Invalid capture amount passed. Capture amount could not be more than a transaction one: Amount must be at most 20 (the authorised amount), not 500.',
      `${NO_HOOK} The authorisation expires in 7 d.`,
    ],
  ],
  [
    'a capture after one that failed, and refunds',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await api.post(`/charge/${id}`, { Amount: 500 });
      await capture(api, id);
      await api.del(`/refund/${id}?Amount=2`);
      await api.del(`/refund/${id}`);
      return id;
    },
    [
      'Authorised AUD 20.00 at 00:00, captured AUD 5.00 at 00:00. All of it was refunded, in 2 refunds. 1 earlier call failed.',
      APPROVED,
      `${NO_HOOK} This is final.`,
    ],
  ],
  [
    'a void',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await api.del(`/charge/${id}/void`);
      return id;
    },
    [
      'Authorised AUD 20.00 at 00:00. It was voided at 00:00.',
      'A call voided it.',
      `${NO_HOOK} This is final.`,
    ],
  ],
  [
    'a capture that was never made',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await capture(api, id, { 'x-sandbox-fault': 'reset' });
      return id;
    },
    [
      'Authorised at 00:00. The capture of AUD 5.00 at 00:00 got no answer; the charge did not change.',
      'The request asked for a cut connection: nothing was done.',
      `${NO_HOOK} The authorisation expires in 7 d.`,
    ],
  ],
  [
    'a capture whose answer was lost',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await api.advance('1m');
      await capture(api, id, { 'x-sandbox-fault': 'reset; phase=after' });
      return id;
    },
    [
      'Authorised AUD 20.00 at 00:00, captured AUD 5.00 at 00:01. The capture of AUD 5.00 at 00:01 got no answer, but the money was taken.',
      'The request asked for a cut connection: the capture was made, its answer was lost.',
      `${NO_HOOK} It can be refunded.`,
    ],
  ],
  [
    'a fault of a queue',
    async ({ api, charge }) => {
      const id = await charge({ Capture: false });
      await api.queue('charge.capture', [{ Fault: 'status=503' }]);
      await capture(api, id);
      return id;
    },
    [
      'Authorised at 00:00. The capture of AUD 5.00 at 00:00 was declined with 503, code 37; the charge did not change.',
      'Queue 1 asked for status 503. The same call may succeed later.',
      `${NO_HOOK} The authorisation expires in 7 d.`,
    ],
  ],
  [
    'a webhook that nobody takes',
    async ({ api, receiver, charge }) => {
      receiver.answer = () => ({ failed: 'connect ECONNREFUSED' });
      const id = await charge({ Webhook: { Url: HOOKS } });
      await api.advance('5d');
      return id;
    },
    [
      'Charged on 1 Jan at 00:00.',
      APPROVED,
      'The webhook to /hooks/pay has not arrived: it failed 10 times and is not tried again. It can be refunded.',
    ],
  ],
  [
    'a webhook that may not be sent',
    async ({ api, receiver, charge }) => {
      receiver.answer = () => ({ withheld: 'a public address' });
      const id = await charge({ Webhook: { Url: HOOKS } });
      await api.post('/_sandbox/settle');
      return id;
    },
    ['Charged at 00:00.', APPROVED, 'The webhook to /hooks/pay was not sent. It can be refunded.'],
  ],
  [
    'a payer who does not answer',
    async ({ api, charge }) => {
      const id = await charge({
        PaymentInformation: cardOf('4000000000001133'),
        ThreeDSNotificationUrl: 'http://127.0.0.1:9/back',
      });
      expect(await told(api, id)).toEqual([
        'Waits for the payer since 00:00: AUD 20.00 needs 3-D Secure.',
        'The test card 4000000000001133 decided: require_3ds on charge, until the payer passes a 3-D Secure challenge.',
        `${NO_HOOK} The payer answers on the challenge page. The challenge times out in 10 min.`,
      ]);
      await api.advance('1h');
      return id;
    },
    ['Declined at 00:10: 3D Secure failed.', 'Challenge timed out.', `${NO_HOOK} This is final.`],
  ],
  [
    'a bank that settles',
    async ({ api }) => {
      const body = { Amount: 20, ProviderId: STEADY, BankPaymentInformation: account() };
      const id = textIn(await api.post('/charge/bank_account', body), 'ChargeId');
      expect(await told(api, id)).toEqual([
        'Waits for the bank, which was asked for AUD 20.00 at 00:00.',
        'A payment from a bank is settled later.',
        `${NO_HOOK} The bank settles in 4 d.`,
      ]);
      await api.advance('4d');
      return id;
    },
    ['Begun on 1 Jan at 00:00, settled at 00:00.', APPROVED, `${NO_HOOK} It can be refunded.`],
  ],
])('The story of %s.', async (_, play, story) => {
  const { api, receiver } = setup();
  const charge: Play['charge'] = async (more, headers) =>
    textIn(await api.charge(storing({ Amount: 20, ...more }), headers), 'ChargeId');
  expect(await told(api, await play({ api, receiver, charge }))).toEqual(story);
});

describe('the path', () => {
  test('ends in the steps that can follow, and names what failed.', async () => {
    const { api, id } = await hotel();
    const look = await lookAt(api, id);
    expect(listReachedStates(look).map(({ name }) => name)).toEqual(['Created', 'Authorised']);
    expect(summariseFailures(look)).toBe('1 capture declined');
    expect(listPossibleSteps(look).map(({ name, most, act }) => [name, most, act('12.50')])).toEqual([
      ['Capture', '240', { does: 'call', method: 'POST', path: `/charge/${id}`, body: { Amount: '12.50' } }],
      ['Void', null, { does: 'call', method: 'DELETE', path: `/charge/${id}/void`, body: null }],
      ['Let it expire', null, { does: 'run', to: '2026-01-08T11:31:00.000Z' }],
    ]);
  });

  test('has steps that the service accepts, until there is none.', async () => {
    const { api, id } = await hotel();
    for (const [amount, states] of [
      ['200', ['Created', 'Authorised', 'SUCCESS']],
      ['50.5', ['Created', 'Authorised', 'SUCCESS', 'PARTIAL_REFUND']],
      ['149.5', ['Created', 'Authorised', 'SUCCESS', 'REFUND']],
    ] as const) {
      const [step] = listPossibleSteps(await lookAt(api, id));
      const act = step?.act(amount);
      if (act?.does !== 'call') throw new Error('The step is no call.');
      const answer = await (act.method === 'POST' ? api.post(act.path, act.body) : api.del(act.path));
      expect(answer.status, answer.text).toBe(200);
      expect(listReachedStates(await lookAt(api, id)).map(({ name }) => name)).toEqual(states);
    }
    expect(listPossibleSteps(await lookAt(api, id))).toEqual([]);
  });
});

test('Of several webhooks it says how many arrived, and which has not.', async () => {
  const { api, receiver } = setup();
  receiver.answer = ({ url }) => ({ status: url.endsWith('/books') ? 503 : 204 });
  await good(
    api.post('/webhook/subscription', {
      Types: ['Transaction'],
      Url: 'http://127.0.0.1:9999/hooks/books',
      Authorization: 'Bearer s',
    }),
  );
  const id = textIn(await api.charge(storing({ Amount: 20, Webhook: { Url: HOOKS } })), 'ChargeId');
  await api.post('/_sandbox/settle');
  const { next } = buildStory(await lookAt(api, id), null, { triggers: null, scenario: null });
  expect(toPlainText(next)).toMatch(
    /^1 of 2 webhooks arrived\. The webhook to \/hooks\/books has not arrived: it failed once and is tried again/,
  );
});

test('A webhook that arrived when it was sent again has arrived.', async () => {
  const { api, receiver } = setup();
  receiver.answer = () => ({ status: 503 });
  const id = textIn(await api.charge(storing({ Amount: 20, Webhook: { Url: HOOKS } })), 'ChargeId');
  await api.advance('30d');
  receiver.answer = () => ({ status: 204 });
  const { Deliveries } = (await api.read('/_sandbox/webhooks')) as { Deliveries: { DeliveryId: string }[] };
  await api.post(`/_sandbox/webhooks/${Deliveries[0]?.DeliveryId}/resend`, {});
  await api.post('/_sandbox/settle');
  expect((await told(api, id))[2]).toBe('All webhooks arrived. It can be refunded.');
});

test('A lost answer is marked at the state that the call led to, and not as a failed call.', async () => {
  const { api } = setup();
  const id = textIn(await api.charge(storing({ Amount: 20, Capture: false })), 'ChargeId');
  await api.advance('1m');
  await capture(api, id, { 'x-sandbox-fault': 'reset; phase=after' });
  const look = await lookAt(api, id);
  expect(listReachedStates(look).flatMap(({ name, isUnheard }) => (isUnheard ? [name] : []))).toEqual([
    'SUCCESS',
  ]);
  expect(summariseFailures(look)).toBe('');
});
