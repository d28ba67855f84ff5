import { describe, expect } from 'vitest';

import { IMAGE_LENGTH_MAX } from '../../../src/resources/payment-links/schema.js';
import { deriveWorldName } from '../../../src/core/keys.js';
import { IMAGES_LENGTH_MAX } from '../../../src/records/payment-link.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { after, EMPTY, expectRefused, ID, NOW, textIn } from '../../support/stored.js';
import { findsEach, refusesFilters, searchesIn } from '../../support/searches.js';
import { test } from '../../support/tests.js';

const PATH = '/payment_link';
const WORLD = deriveWorldName('sk_test_a');
const PIXEL = 'iVBORw0KGgo=';

/** A data URI of so many characters. */
function imageOf(length: number): string {
  const head = 'data:image/png;base64,';
  const rest = (length - head.length) % 4;
  expect(rest, 'a length that Base64 can have').toBe(0);
  return head + 'A'.repeat(length - head.length);
}

describe('POST /payment_link', () => {
  test('answers with the whole link, whose page stands under the origin that was called', async ({ api }) => {
    const said = {
      Title: 'Order 1',
      Amount: 12.5,
      Currency: 'USD',
      AllowedPaymentTypes: ['CARD', 'PAYTO'],
      Description: 'A chair',
      Image: `data:image/png;base64,${PIXEL}`,
      ConfirmationMessage: 'Thank you',
      RedirectUrl: 'https://shop.example.com/done?order=1',
      CallToAction: 'Donate',
      LimitPayments: 3,
      InvoiceId: 'i-1',
      Metadata: { merchant_id: '7' },
    };
    const answer = await good(api.post(PATH, { ...said, Amount: '12.50' }));
    const id = textIn(answer, 'PaymentLinkId');
    expect(answer.body).toEqual({
      Url: `http://localhost/_sandbox/pay/${WORLD}/${id}`,
      PaymentLinkId: expect.stringMatching(ID),
      DateAdded: NOW,
      AccountId: expect.stringMatching(ID),
      PublicKey: null,
      ...said,
      CountPayments: 0,
    });
    const read = await api.get(`${PATH}/${id}`);
    expect([read.status, read.body]).toEqual([200, answer.body]);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentLinks: 1 });
  });

  test('takes a title alone', async ({ api }) => {
    const answer = await api.post(PATH, { Title: 'Gift', Description: null });
    expect(answer.body).toMatchObject({
      Title: 'Gift',
      Amount: null,
      Currency: 'AUD',
      AllowedPaymentTypes: [],
      Description: null,
      Image: null,
      ConfirmationMessage: null,
      RedirectUrl: null,
      CallToAction: 'Pay',
      LimitPayments: null,
      InvoiceId: null,
      Metadata: null,
    });
  });

  test('gives each caller the address by which it called, also behind a proxy with https', async () => {
    const sandbox = testSandbox({ trustProxy: 'proto' });
    const call = (origin: string, path: string, init: RequestInit = {}): Promise<Response> =>
      sandbox.fetch(
        new Request(origin + path, {
          ...init,
          headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json', ...init.headers },
        }),
      );
    const body = JSON.stringify({ Title: 'x' });
    const made = await call('http://127.0.0.1:4010', PATH, { method: 'POST', body });
    const { Url, PaymentLinkId } = (await made.json()) as { Url: string; PaymentLinkId: string };
    expect(Url).toBe(`http://127.0.0.1:4010/_sandbox/pay/${WORLD}/${PaymentLinkId}`);
    const read = await call('https://pay.localhost', `${PATH}/${PaymentLinkId}`);
    expect(await read.json()).toMatchObject({
      Url: `https://pay.localhost/_sandbox/pay/${WORLD}/${PaymentLinkId}`,
    });
    const headers = { 'x-forwarded-proto': 'https' };
    const behind = await call('http://pay.localhost:4010', `${PATH}/${PaymentLinkId}`, { headers });
    expect(await behind.json()).toMatchObject({
      Url: `https://pay.localhost:4010/_sandbox/pay/${WORLD}/${PaymentLinkId}`,
    });
  });

  test.for(['png', 'jpeg', 'gif'])('takes an image of the type %s', async (type, { api }) => {
    const Image = `data:image/${type};base64,${PIXEL}`;
    expect((await api.post(PATH, { Title: 'x', Image })).body['Image']).toBe(Image);
  });

  test('accepts the largest image, and no larger one', async ({ api }) => {
    const max = IMAGE_LENGTH_MAX - ((IMAGE_LENGTH_MAX - 'data:image/png;base64,'.length) % 4);
    await good(api.post(PATH, { Title: 'x', Image: imageOf(max) }));
    const answer = await api.post(PATH, { Title: 'x', Image: imageOf(max + 4) });
    expect(expectRefused(answer, 400, 90)).toContain(`the maximum is ${IMAGE_LENGTH_MAX}`);
  });

  test.for<[member: string, more: object, code: number]>([
    ['Title', { Title: undefined }, 90],
    ['Title', { Title: ' ' }, 90],
    ['Amount', { Amount: 0 }, 74],
    ['Amount', { Amount: 1.005 }, 2],
    ['Amount', { Amount: 1.5, Currency: 'JPY' }, 2],
    ['Currency', { Currency: 'AU' }, 29],
    ['AllowedPaymentTypes', { AllowedPaymentTypes: 'CARD' }, 90],
    ['AllowedPaymentTypes', { AllowedPaymentTypes: [7] }, 90],
    ['AllowedPaymentTypes', { AllowedPaymentTypes: Array.from({ length: 51 }, () => 'CARD') }, 90],
    ['Image', { Image: 'https://example.com/chair.png' }, 90],
    ['Image', { Image: `data:image/svg+xml;base64,${PIXEL}` }, 90],
    ['Image', { Image: `data:text/html;base64,${PIXEL}` }, 90],
    ['Image', { Image: 'data:image/png;base64,' }, 90],
    ['Image', { Image: 'data:image/png;base64,abc' }, 90],
    ['Image', { Image: 'data:image/png;base64,ab c' }, 90],
    ['Image', { Image: `data:image/png,${PIXEL}` }, 90],
    ['RedirectUrl', { RedirectUrl: 'javascript:alert(1)' }, 90],
    ['RedirectUrl', { RedirectUrl: '/done' }, 90],
    ['CallToAction', { CallToAction: 'buy' }, 90],
    ['LimitPayments', { LimitPayments: 0 }, 90],
  ])('refuses a wrong %s: %j', async ([member, more, code], { api }) => {
    const answer = await api.post(PATH, { Title: 'x', ...more });
    expectRefused(answer, 400, code, member);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('refuses one more than the world holds, and images beyond what all may have together', async () => {
    const small = client(testSandbox({ recordsMax: 1 }));
    await small.post(PATH, { Title: 'x' });
    expectRefused(await small.post(PATH, { Title: 'y' }), 409, 90);

    const sandbox = testSandbox();
    const api = client(sandbox);
    const made = textIn(await api.post(PATH, { Title: 'x' }), 'PaymentLinkId');
    const { paymentLinks } = sandbox.worlds.open('sk_test_a');
    const link = paymentLinks.find(made);
    if (!link) throw new Error('The link was not stored');
    paymentLinks.add({ ...link, index: paymentLinks.next, image: ' '.repeat(IMAGES_LENGTH_MAX - 40) });
    expectRefused(await api.post(PATH, { Title: 'x', Image: imageOf(42) }), 409, 90);
    await good(api.post(PATH, { Title: 'x', Image: imageOf(38) }));
    expectRefused(await api.post(PATH, { Title: 'x', Image: imageOf(38) }), 409, 90);
    await good(api.post(PATH, { Title: 'x' }));
  });
});

/** Four links, a minute apart, named by their places. */
async function several() {
  const api = client(testSandbox());
  const ids: unknown[] = [];
  for (const Title of ['Order 2', 'order 1', 'Order 10', 'Gift']) {
    ids.push((await api.post(PATH, { Title })).body['PaymentLinkId']);
    await api.advance('1m');
  }
  return { api, ids, ...searchesIn(api, PATH, 'PaymentLinks', 'PaymentLinkId', ids) };
}

describe('GET /payment_link', () => {
  test('answers all, newest first, each as it reads by itself, and how many there are', async () => {
    const { api, ids, search } = await several();
    const shown = await Promise.all(ids.map(async (id) => await api.read(`${PATH}/${String(id)}`)));
    const answer = await search('');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ PaymentLinks: shown.toReversed(), Count: 4 });
  });

  findsEach(several, [
    [`?AddedAfter=${after(60_000)}`, [3, 2]],
    [`?AddedBefore=${after(60_000)}`, [0]],
    ['?SortBy=Date', [0, 1, 2, 3]],
    ['?SortBy=-Date', [3, 2, 1, 0]],
    ['?SortBy=Title', [3, 2, 0, 1]],
    ['?sortby=-title', [1, 0, 2, 3]],
  ]);

  // Its answers do not repeat Limit and Skip.
  test.for<[query: string, found: number[]]>([
    ['?Limit=1&Skip=1', [2]],
    ['?Limit=1&Skip=1&SortBy=Title', [2]],
    ['?Skip=9', []],
  ])('pages by %s', async ([query, expected]) => {
    const { found, search } = await several();
    const answer = await search(query);
    expect(found(answer)).toEqual(expected);
    expect(answer.body['Count']).toBe(4);
  });

  refusesFilters(several, ['AddedAfter=x', 'Limit=501', 'Skip=-1', 'SortBy=Amount']);
});
