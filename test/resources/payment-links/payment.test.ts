import { describe, expect, test } from 'vitest';

import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { type Answer, asking, client, testSandbox, warningOf } from '../../support/sandbox.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { AN_ID, expectRefused, NOW, textIn } from '../../support/stored.js';

const CARD = { PaymentInformation: cardOf() };

/** A link of a shop, and a payer who knows nothing but its address. */
async function setup(link: object = {}, options?: InnerSandboxOptions) {
  const sandbox = testSandbox(options);
  const shop = client(sandbox, 'sk_test_shop');
  const payer = client(sandbox, null);
  const made = await shop.post('/payment_link', { Title: 'Chair', Amount: '15.50', ...link });
  const id = textIn(made, 'PaymentLinkId');
  const path = new URL(textIn(made, 'Url')).pathname;
  const pay = (body: unknown = CARD, headers = {}): Promise<Answer> => payer.post(path, body, headers);
  const paid = async () => (await shop.get(`/payment_link/${id}`)).body['CountPayments'];
  return { sandbox, shop, payer, id, path, pay, paid };
}

describe('paying a link', () => {
  test('is a charge in the world of the link, and counts', async () => {
    const { shop, id, pay, paid } = await setup({
      ConfirmationMessage: 'Thank you',
      RedirectUrl: 'https://shop.example.com/done',
      Metadata: { order: '7' },
    });
    const answer = await pay();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ChargeId: AN_ID,
        Status: 'SUCCESS',
        Amount: 15.5,
        Currency: 'AUD',
        ConfirmationMessage: 'Thank you',
        RedirectUrl: 'https://shop.example.com/done',
      },
    ]);
    expect((await shop.get(`/charge/${textIn(answer, 'ChargeId')}`)).body).toMatchObject({
      Amount: 15.5,
      Currency: 'AUD',
      ProviderId: STEADY,
      Reference: id,
      Initiator: 'CUSTOMER',
      Metadata: { order: '7' },
      DateAdded: NOW,
    });
    expect(await paid()).toBe(1);
  });

  test('needs no key, and refuses an invalid one', async () => {
    const { pay, paid, payer, path } = await setup();
    for (const key of ['', 'sk_live_x']) {
      expectRefused(await pay(CARD, { 'x-secretkey': key }), 401, 40);
      expectRefused(await payer.get(path, { 'x-secretkey': key }), 401, 40);
    }
    expect(await paid()).toBe(0);
  });

  test('has the invoice of the link as its reference', async () => {
    const { shop, pay } = await setup({ InvoiceId: 'i-1' });
    await pay();
    expect((await shop.get('/charge?Reference=i-1')).body).toMatchObject({ Count: 1 });
  });

  test('takes the payer’s amount if the link has none, in the decimals of its currency', async () => {
    const { pay } = await setup({ Amount: null, Currency: 'JPY' });
    expect(expectRefused(await pay(), 400, 90)).toContain('Amount is required');
    expectRefused(await pay({ ...CARD, Amount: '1.5' }), 400, 2);
    expectRefused(await pay({ ...CARD, Amount: '0' }), 400, 74);
    expect((await pay({ ...CARD, Amount: '500' })).body).toMatchObject({ Amount: 500, Currency: 'JPY' });
  });

  test('takes no other amount than the link’s', async () => {
    const { pay } = await setup();
    expect((await pay({ ...CARD, Amount: '0.01' })).body).toMatchObject({ Amount: 15.5 });
  });

  test('goes through the provider that takes least', async () => {
    const { shop, pay } = await setup();
    const settings = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };
    const made = await shop.post('/provider', { ...settings, CostData: [{ TransactionCost: '0.10' }] });
    const { body } = await shop.get(`/charge/${textIn(await pay(), 'ChargeId')}`);
    expect(body).toMatchObject({ ProviderId: textIn(made, 'ProviderId') });
  });

  test('that is declined is stored, names its charge and does not count', async () => {
    const { shop, pay, paid } = await setup();
    const declined = await pay({ PaymentInformation: cardOf('4000000000009995') });
    expect(expectRefused(declined, 400, 15)).toContain('Try another card');
    const { body } = await shop.get(`/charge/${textIn(declined, 'ChargeId')}`);
    expect([body['Status'], await paid()]).toEqual(['FAILED', 0]);
  });

  test('ends with the limit', async () => {
    const { shop, pay, paid } = await setup({ LimitPayments: 2 });
    expect([(await pay()).status, (await pay()).status]).toEqual([200, 200]);
    const counts = await shop.counts();
    expect(expectRefused(await pay(), 409, 116)).toContain('It has reached its LimitPayments');
    expect([await shop.counts(), await paid()]).toEqual([counts, 2]);
  });

  test('of two payers at a time, one more than the limit allows is refused', async () => {
    const { pay } = await setup({ LimitPayments: 1 });
    const statuses = (await Promise.all([pay(), pay(), pay()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
  });

  test.each([
    [['PAYTO'], 409],
    [['PAYTO', 'card'], 200],
    [[], 200],
  ])('by card where the link allows %j is answered with %d', async (AllowedPaymentTypes, status) => {
    const { pay } = await setup({ AllowedPaymentTypes });
    expect((await pay()).status).toBe(status);
  });

  test.each<[string, object, number, number]>([
    ['no card', {}, 400, 81],
    ['a wrong check digit', { PaymentInformation: cardOf('4111111111111112') }, 400, 5],
    ['an expired card', { PaymentInformation: cardOf(undefined, { ExpiryDate: '12/25' }) }, 400, 14],
    ['a malformed amount', { ...CARD, Amount: '1e2' }, 400, 2],
    ['an unknown field', { ...CARD, Currency: 'USD' }, 400, 90],
  ])('with %s is refused and charges nothing', async (_, body, status, code) => {
    const { shop, pay, paid } = await setup();
    expectRefused(await pay(body), status, code);
    expect(await paid()).toBe(0);
    expect(await shop.counts()).toMatchObject({ Charges: 0 });
  });

  test('is scripted like any charge', async () => {
    const { shop, pay, paid } = await setup();
    await shop.post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: ['do_not_honor'] });
    expectRefused(await pay(), 400, 905);
    expectRefused(await pay(CARD, asking('card_blocked')), 400, 93);
    const rules = [{ when: { amount: 15.5 }, then: { respond: { status: 418 } } }];
    await shop.put('/_sandbox/scenario', { Definition: { name: 'picky', rules } });
    expect((await pay()).status).toBe(418);
    expect(await paid()).toBe(0);
  });

  test('warns of a number that is not a test card, or refuses it if only those are accepted', async () => {
    const body = { PaymentInformation: cardOf('4012888888881881') };
    const warned = await (await setup()).pay(body);
    expect(warningOf(warned)).toContain('not a published test card');
    expectRefused(await (await setup({}, { testCardsOnly: true })).pay(body), 400, 5);
  });
});

describe('the page of a link', () => {
  test('shows what the link says, and loads nothing from elsewhere', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    const { payer, path } = await setup({ Description: 'With four legs', Image: image });
    const { status, headers, text } = await payer.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<h1>Chair</h1>');
    expect(text).toContain('With four legs');
    expect(text).toContain('AUD 15.50');
    expect(text).toContain(`<img class="picture" src="${image}" alt="">`);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=")|<style|\son\w+=|\sstyle=|https?:/i);
  });

  test.each([
    ['15.50', 'AUD', 'AUD 15.50'],
    ['500', 'JPY', 'JPY 500'],
    ['1.5', 'BHD', 'BHD 1.500'],
    ['999999999.99', 'USD', 'USD 999999999.99'],
  ])('shows %s %s as %s', async (Amount, Currency, shown) => {
    const { payer, path } = await setup({ Amount, Currency });
    expect((await payer.get(path)).text).toContain(`>${shown}<`);
  });

  test('shows hostile text as text', async () => {
    const hostile = '"><script>alert(1)</script>';
    const { payer, path } = await setup({
      Title: hostile,
      Description: hostile,
      AllowedPaymentTypes: [hostile],
    });
    const { text } = await payer.get(path);
    expect(text).not.toContain('<script>');
    expect(text.split('&lt;script&gt;')).toHaveLength(5);
  });

  test('has no form once the link cannot be paid, and says why', async () => {
    const { payer, path, pay } = await setup({ LimitPayments: 1 });
    expect((await payer.get(path)).text).toContain('id="card"');
    await pay();
    const { status, text } = await payer.get(path);
    expect(status).toBe(200);
    expect(text).toContain('It has reached its LimitPayments.');
    expect(text).not.toContain('id="card"');
  });

  test('needs neither key nor admin token, and gives no key away', async () => {
    const { payer, path, pay } = await setup({}, { adminToken: 'open-sesame' });
    const { status, text, headers } = await payer.get(path);
    expect([status, (await pay()).status]).toEqual([200, 200]);
    expect(text + JSON.stringify([...headers])).not.toContain('test_shop');
    expect((await payer.get('/_sandbox/paying/x')).status).toBe(403);
  });

  test.each(['0123456789abcdef0123456789abcdef', 'x', '', 'x/y'])(
    'of no link (%s) is unknown',
    async (id) => {
      const { payer, sandbox, path } = await setup();
      const worlds = sandbox.worlds.size;
      const of = path.slice(0, path.lastIndexOf('/'));
      for (const unknown of [`${of}/${id}`, `/_sandbox/pay/${id}`])
        for (const answer of [await payer.get(unknown), await payer.post(unknown, CARD)])
          expect([401, 404]).toContain(answer.status);
      expect(sandbox.worlds.size).toBe(worlds);
    },
  );

  test('goes with its world', async () => {
    const { shop, payer, path } = await setup();
    await shop.post('/_sandbox/reset');
    expectRefused(await payer.get(path), 404, 116);
  });

  test('of two worlds with the same name is that of the world in its address', async () => {
    const sandbox = testSandbox();
    for (const n of [0, 1]) {
      const shop = client(sandbox, `sk_test_${n}`);
      await shop.post('/_sandbox/reset', { Name: 'sells a chair' });
      const made = await shop.post('/payment_link', { Title: `Chair ${n}`, Amount: '15.50' });
      const { pathname } = new URL(textIn(made, 'Url'));
      expect((await client(sandbox, null).get(pathname)).text).toContain(`Chair ${n}`);
    }
  });

  test('with a key is looked for in the world of that key alone', async () => {
    const { sandbox, shop, path } = await setup();
    expect((await shop.get(path)).status).toBe(200);
    expectRefused(await client(sandbox, 'sk_test_other').get(path), 404, 116);
  });

  test('of a stranger’s page cannot be paid or read', async () => {
    const { payer, path, pay } = await setup();
    const origin = 'https://shop.example.com';
    expectRefused(await pay(CARD, { origin }), 403, 90);
    expectRefused(await payer.get(path, { origin }), 403, 90);
  });
});
