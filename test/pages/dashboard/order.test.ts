import { describe, expect, test } from 'vitest';

import type { BriefCall, CallPage, RecordJson, RecordPage } from '../../../src/pages/dashboard/state/wire.js';
import {
  buildOrderWaterfall,
  isAboutOrder,
  listLookups,
  mergeTimelines,
  sumOrder,
  toTimelineItem,
} from '../../../src/pages/dashboard/text/order/order.js';
import { buildSequence, toMermaid } from '../../../src/pages/dashboard/text/order/sequence.js';
import { storing, textIn } from '../../support/stored.js';
import type { Client } from '../../support/sandbox.js';
import { setup } from '../../webhooks/support.js';
import { HOOKS, lookAt, type Look } from './look.js';

interface Order {
  readonly records: readonly RecordJson[];
  readonly histories: readonly Look[];
  readonly calls: readonly BriefCall[];
}

async function lookAtOrder(api: Client, reference: string): Promise<Order> {
  const named = `Reference=${encodeURIComponent(reference)}`;
  const { Records } = (await api.read(`/_sandbox/records/charges?${named}`)) as unknown as RecordPage;
  const { Entries } = (await api.read('/_sandbox/journal?Brief=true&Limit=100')) as unknown as CallPage;
  const ids = Records.map((record) => String(record['ChargeId'])).toReversed();
  return {
    records: Records,
    histories: await Promise.all(ids.map((id) => lookAt(api, id))),
    calls: Entries.filter((call) => isAboutOrder(call, reference)),
  };
}

/** A charge of the order "a" whose payer has passed the challenge. */
async function chargeWithChallenge(api: Client) {
  const PaymentInformation = {
    CardNumber: '4000000000001133',
    ExpiryDate: '12/30',
    Ccv: '123',
    Cardholder: 'A B',
  };
  const ThreeDSNotificationUrl = 'http://127.0.0.1:9999/shop';
  const charge = await api.charge(
    storing({ Amount: 20, Reference: 'a', PaymentInformation, ThreeDSNotificationUrl }),
  );
  const { Records } = (await api.read('/_sandbox/records/authentications')) as unknown as RecordPage;
  const Ref = String(Records[0]?.['ThreeDSServerTransID']);
  await api.post('/_sandbox/simulate', { Action: 'challenge.approve', Ref });
  return charge;
}

/** A shop whose first answer is lost, which looks the order up by words that find nothing and charges again; its receiver fails once. */
async function twice(reference = 'order-2001') {
  const { api, receiver } = setup();
  let sent = 0;
  receiver.answer = () => ({ status: sent++ === 0 ? 503 : 204 });
  const body = storing({ Amount: 149, Reference: reference, Webhook: { Url: HOOKS } });
  await api.post('/charge/card', body, { 'x-sandbox-fault': 'empty; phase=after' }).catch(() => null);
  await api.advance('31s');
  await api.get(`/charge?Reference=${encodeURIComponent(reference)}`);
  await api.post('/charge/card', { ...body, ProviderId: undefined });
  await api.charge(body);
  await api.advance('1s');
  return { api, ...(await lookAtOrder(api, reference)) };
}

describe('the sum of an order', () => {
  test('is what was taken, returned and is held, for each currency, without fractions that nobody charged', async () => {
    const { api } = setup();
    for (const Amount of [0.1, 0.2]) await api.charge(storing({ Amount, Reference: 'a' }));
    const part = textIn(await api.charge(storing({ Amount: 30, Reference: 'a' })), 'ChargeId');
    await api.del(`/refund/${part}?Amount=10.5`);
    await api.charge(storing({ Amount: 7, Reference: 'a', Capture: false }));
    await api.charge(storing({ Amount: 500, Reference: 'a', Currency: 'JPY' }));
    await api.post('/charge/card', storing({ Amount: 9, Reference: 'a' }), {
      'x-sandbox-outcome': 'do_not_honor',
    });
    const { records } = await lookAtOrder(api, 'a');
    expect(sumOrder(records).toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toEqual([
      { currency: 'AUD', taken: 30.3, returned: 10.5, held: 7 },
      { currency: 'JPY', taken: 500, returned: 0, held: 0 },
    ]);
  });
});

describe('the calls of an order', () => {
  test.each(['/charge?Reference=two%20words', '/charge?Reference=two+words'])('have %s', async (read) => {
    const { api } = setup();
    await api.get(read);
    const found = await Promise.all(
      listLookups('two words').map(([name, text]) => {
        const query = new URLSearchParams({ [name]: text, Brief: 'true' });
        return api.read(`/_sandbox/journal?${query}`) as unknown as Promise<CallPage>;
      }),
    );
    const calls = found.flatMap(({ Entries }) => Entries).filter((call) => isAboutOrder(call, 'two words'));
    expect(calls).toMatchObject([{ EntryId: 1 }]);
  });
});

describe('the waterfall of an order', () => {
  test('has the calls, webhooks and state of each charge, and the calls that no charge shows, once each', async () => {
    const { api, histories, calls } = await twice();
    const { Clock } = (await api.read('/_sandbox/world')) as { Clock: { Now: string } };
    const { rows } = buildOrderWaterfall(histories, calls, Date.parse(Clock.Now), true);
    const drawn = rows.map(({ method, text, cells }) => {
      const marks = cells.flatMap((cell) => cell.marks.map(({ tone, text: said }) => `${tone} ${said}`));
      return `${`${method} ${text}`.trim()}: ${marks.join(', ')}`.replaceAll(/[0-9a-f]{8}…/g, 'ID');
    });
    expect(drawn).toEqual([
      'POST /charge/card: lost no answer',
      'webhook to /hooks/pay: bad 503, good 204',
      'Charge ID: info charged',
      'POST /charge/card: good 201',
      'webhook to /hooks/pay: good 204',
      'Charge ID: info charged',
      'POST /charge/card: warn 400',
      'GET /charge: good 200',
    ]);
  });
});

describe('the sequence of an order', () => {
  const draw = ({ histories, calls }: Order): string =>
    toMermaid(
      buildSequence(
        mergeTimelines(
          histories.map(({ timeline }) => timeline),
          calls.map(toTimelineItem),
        ),
      ),
    );

  test('has an arrow for each call and webhook and its answer, and a broken one where it was lost', async () => {
    expect(draw(await twice()).split('\n')).toEqual([
      'sequenceDiagram',
      '  participant Shop',
      '  participant Gateway',
      '  participant Receiver',
      '  Shop->>Gateway: 00:00:00 POST /charge/card',
      '  Gateway--xShop: 00:00:00 no answer',
      '  Gateway->>Receiver: 00:00:00 transaction.status.changed to /hooks/pay',
      '  Receiver-->>Gateway: 00:00:00 503',
      '  Gateway->>Receiver: 00:00:05 transaction.status.changed to /hooks/pay',
      '  Receiver-->>Gateway: 00:00:05 204',
      '  Shop->>Gateway: 00:00:31 GET /charge',
      '  Gateway-->>Shop: 00:00:31 200',
      '  Shop->>Gateway: 00:00:31 POST /charge/card',
      '  Gateway-->>Shop: 00:00:31 400',
      '  Shop->>Gateway: 00:00:31 POST /charge/card',
      '  Gateway-->>Shop: 00:00:31 201',
      '  Gateway->>Receiver: 00:00:31 transaction.status.changed to /hooks/pay',
      '  Receiver-->>Gateway: 00:00:31 204',
      '',
    ]);
  });

  test('shows the challenge that the payer answers', async () => {
    const { api } = setup();
    await chargeWithChallenge(api);
    const diagram = draw(await lookAtOrder(api, 'a'));
    expect(diagram).toContain('Gateway->>Payer: 00:00:00 Challenge demanded');
    expect(diagram).toContain('Payer->>Gateway: 00:00:00 Challenge approved');
  });

  test('keeps the order of things at one instant, and takes no comment for a step of the payer', async () => {
    const { api } = setup();
    const charge = await chargeWithChallenge(api);
    await api.get('/charge?Reference=a');
    await api.del(`/refund/${textIn(charge, 'ChargeId')}`, {}, { Amount: 5, Comment: 'the payer asked' });
    const lines = draw(await lookAtOrder(api, 'a')).split('\n');
    expect(lines.filter((line) => /->>/.test(line) && !line.includes('-->>'))).toEqual([
      '  Shop->>Gateway: 00:00:00 POST /charge/card',
      '  Gateway->>Payer: 00:00:00 Asked the payer for AUD 20.00',
      '  Gateway->>Payer: 00:00:00 Challenge demanded',
      '  Payer->>Gateway: 00:00:00 Challenge approved',
      '  Shop->>Gateway: 00:00:00 GET /charge',
      expect.stringMatching(/^ {2}Shop->>Gateway: 00:00:00 DELETE \/refund/),
    ]);
  });

  test('lets nothing that somebody typed become syntax of Mermaid', () => {
    const item = { Status: 200, DurationMs: 1, DeliveryId: null, What: 'call' as const };
    const Text = 'GET /charge/a;b#c%%d\nend{e}<f>"g": 200';
    const [, , , call] = toMermaid(
      buildSequence([{ ...item, At: '2026-01-01T00:00:00.000Z', Text, EntryId: 1 }]),
    ).split('\n');
    expect(call).toBe(
      '  Shop->>Gateway: 00:00:00 GET /charge/a#59;b#35;c#37;#37;d end#123;e#125;#60;f#62;#34;g#34;',
    );
  });
});
