import { describe, expect, test } from 'vitest';

import type { FindingsResponse } from '../../../src/control/findings/routes.js';
import { storing, STEADY, textIn } from '../../support/stored.js';
import type { Client } from '../../support/sandbox.js';
import { setup } from '../../webhooks/support.js';

async function findings(api: Client): Promise<FindingsResponse['Findings']> {
  return ((await api.read('/_sandbox/findings')) as FindingsResponse).Findings;
}

const messages = async (api: Client): Promise<string[]> =>
  (await findings(api)).map(({ Message }) => Message);

/** Charges an order, and loses the answer. */
const loseAnswer = (api: Client, Reference: string): Promise<unknown> =>
  api
    .post('/charge/card', storing({ Amount: 149, Reference }), { 'x-sandbox-fault': 'empty; phase=after' })
    .catch(() => null);

describe('GET /_sandbox/findings', () => {
  test('has nothing to say about a world in which all went well', async () => {
    const { api } = setup();
    await api.charge(storing({ Amount: 20, Reference: 'order-1' }));
    await api.charge(storing({ Amount: 20, Reference: 'order-2' }));
    expect(await api.read('/_sandbox/findings')).toEqual({ Count: 0, Findings: [] });
  });

  test('finds the charge of a blind retry, and that nobody looked the first one up', async () => {
    const { api } = setup();
    await loseAnswer(api, 'order-2001');
    await api.advance('31s');
    const again = textIn(await api.charge(storing({ Amount: 149, Reference: 'order-2001' })), 'ChargeId');
    expect(await findings(api)).toEqual([
      {
        Kind: 'charged twice',
        Message: 'order-2001 charged twice: AUD 298.00, 31 s apart, after a lost answer',
        Count: 2,
        Reference: 'order-2001',
        Url: null,
        EntryIds: [],
        ChargeIds: [expect.any(String), again],
      },
      {
        Kind: 'answers lost',
        Message: '1 answer lost, 1 never looked up',
        Count: 1,
        Reference: null,
        Url: null,
        EntryIds: [1],
        ChargeIds: [],
      },
    ]);
    await api.del(`/refund/${again}?Amount=149`);
    expect(await messages(api)).toEqual(['1 answer lost, 1 never looked up']);
  });

  test('tells a lost answer that was looked up by its Reference from one that was looked up before it', async () => {
    const { api } = setup();
    await api.get('/charge?Reference=order+2');
    await loseAnswer(api, 'order-1');
    await loseAnswer(api, 'order 2');
    await api.get('/charge?Reference=order-1');
    expect(await messages(api)).toEqual(['2 answers lost, 1 never looked up']);
    await api.get('/charge?Reference=order%202');
    expect(await messages(api)).toEqual([]);
  });

  const AFTER = { 'x-sandbox-fault': 'empty; phase=after' };

  test.each([
    [
      'capture',
      'its charge',
      (api: Client, id: string) => api.post(`/charge/${id}/capture`, { Amount: 20 }, AFTER),
    ],
    ['void', 'its charge', (api: Client, id: string) => api.del(`/charge/${id}/void`, AFTER)],
    [
      'capture',
      'its order',
      (api: Client, id: string) => api.post(`/charge/${id}/capture`, { Amount: 20 }, AFTER),
    ],
    ['void', 'its order', (api: Client, id: string) => api.del(`/charge/${id}/void`, AFTER)],
  ])('takes a lost %s for looked up after a read of %s', async (_, read, lose) => {
    const { api } = setup();
    const charged = await api.charge(storing({ Amount: 20, Reference: 'order 1', Capture: false }));
    const id = textIn(charged, 'ChargeId');
    await lose(api, id).catch(() => null);
    expect(await messages(api)).toEqual(['1 answer lost, 1 never looked up']);
    await api.get(read === 'its charge' ? `/charge/${id}` : '/charge?Reference=order+1');
    expect(await messages(api)).toEqual([]);
  });

  test.each(['/charge?Reference=100&Limit=abc', '/customer?Limit=100', '/charge?Reference=10'])(
    'does not take for a look-up of the order 100: %s',
    async (read) => {
      const { api } = setup();
      await loseAnswer(api, '100');
      await api.get(read);
      expect(await messages(api)).toContain('1 answer lost, 1 never looked up');
      await api.get('/charge?Reference=100');
      expect((await findings(api)).filter(({ Kind }) => Kind === 'answers lost')).toEqual([]);
    },
  );

  test('asks nobody to look up a read whose answer was lost', async () => {
    const { api } = setup();
    await api.get('/charge?Reference=a', { 'x-sandbox-fault': 'empty' }).catch(() => null);
    expect(await messages(api)).toEqual([]);
  });

  test.each([
    ['other amounts', { Amount: 5 }, {}],
    ['another currency', { Currency: 'NZD' }, {}],
    ['another Reference', { Reference: 'order-2' }, {}],
    ['a declined first try', {}, { 'x-sandbox-outcome': 'do_not_honor' }],
  ])('does not take for charged twice: %s', async (_, more, headers) => {
    const { api } = setup();
    await api.charge(storing({ Amount: 20, Reference: 'order-1' }));
    await api.post('/charge/card', storing({ Amount: 20, Reference: 'order-1', ...more }), headers);
    expect((await findings(api)).filter(({ Kind }) => Kind === 'charged twice')).toEqual([]);
  });

  test('counts three charges, and says of charges without a lost answer only how far they are apart', async () => {
    const { api } = setup();
    for (const by of ['2h', '5m', '1s']) {
      await api.charge(storing({ Amount: 1.5, Reference: 'order-1' }));
      await api.advance(by);
    }
    expect(await messages(api)).toEqual(['order-1 charged 3 times: AUD 4.50, 2 h apart']);
  });

  test('puts an order that was charged twice after a lost answer before other ones', async () => {
    const { api } = setup();
    for (let n = 0; n < 2; n++) await api.charge(storing({ Amount: 20, Reference: 'order-1' }));
    await loseAnswer(api, 'order-2');
    await api.charge(storing({ Amount: 149, Reference: 'order-2' }));
    expect((await findings(api)).map(({ Reference }) => Reference)).toEqual(['order-2', 'order-1', null]);
  });

  test('names the share and the status of a receiver that fails, and no receiver that accepts', async () => {
    const { api, receiver } = setup();
    let sent = 0;
    receiver.answer = () => ({ status: sent++ === 0 ? 503 : 200, body: '' });
    for (const path of ['pay', 'pay', 'books'])
      await api.charge(
        storing({ Amount: 20, Webhook: { Url: `http://127.0.0.1:9999/hooks/${path}?key=1` } }),
      );
    await api.advance('6s');
    expect(await findings(api)).toMatchObject([
      { Message: '/hooks/pay fails 33 % (503)', Count: 1, Url: expect.stringContaining('/hooks/pay') },
    ]);
  });

  test('groups refused calls by their cause, without what differs between them', async () => {
    const { api } = setup();
    for (let n = 0; n < 3; n++)
      await api.post('/charge/card', storing({ Amount: 20, ProviderId: undefined }));
    expect(await messages(api)).toEqual(['3 calls refused, one cause: ProviderId is required']);
    await api.post('/charge/card', storing({ Amount: `x` }));
    expect((await messages(api))[0]).toMatch(
      /^4 calls refused, 2 causes, most often \(3\): ProviderId is required/,
    );
  });

  test('names one of several causes that came once each', async () => {
    const { api } = setup();
    await api.post('/charge/card', storing({ Amount: 20, ProviderId: undefined }));
    await api.post('/charge/card', storing({ Amount: 'x' }));
    expect(await messages(api)).toEqual(['2 calls refused, 2 causes, for example: ProviderId is required']);
  });

  test('takes one refusal of many charges for one cause', async () => {
    const { api } = setup();
    for (const Reference of ['order-1', 'order-2']) {
      const id = textIn(await api.charge(storing({ Amount: 20, Reference, Capture: false })), 'ChargeId');
      await api.del(`/refund/${id}?Amount=5`);
    }
    expect(await messages(api)).toEqual([expect.stringMatching(/^2 calls refused, one cause: .*…/)]);
  });

  test('does not count what a restore has undone', async () => {
    const { api } = setup();
    await api.put('/_sandbox/snapshots/before', {});
    await loseAnswer(api, 'order-1');
    await api.charge(storing({ Amount: 149, Reference: 'order-1', ProviderId: STEADY }));
    expect(await messages(api)).toHaveLength(2);
    await api.post('/_sandbox/snapshots/before/restore', {});
    expect(await messages(api)).toEqual([]);
  });
});
