import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

// The type of `window.playmoney`, which stands in the page and not here.
import type { Playmoney } from '../../src/pages/globals.js';
import { STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { backEnd, serverBeside, stage } from './support.js';

const CARD = { cardNumber: '4242424242424242', expiryDate: '10/30', ccv: '123' };
const GOOD = { publicKey: 'pk_test_front', providerId: STEADY, card: CARD };

type Options = Parameters<Playmoney['tokenise']>[0];

/** What tokenise makes of options in the page: the answer, or what its error says. */
function tokenise(page: Page, options: object): Promise<Record<string, unknown>> {
  return page.evaluate(
    (asked) =>
      window.playmoney.tokenise(asked as Options).then(
        (token) => ({ ...token }),
        (error: InstanceType<Playmoney['PlaymoneyError']>) => {
          const { name, message, status, code, details, isRetryable } = error;
          return { name, message, status, code, details, isRetryable };
        },
      ),
    options,
  );
}

describe.skipIf(CHROMIUM === undefined)('the script for browsers, in a front end of its own', () => {
  const { url, visit } = stage('--clock', 'manual');
  /** A page with a strict policy, on another port. */
  const port = serverBeside((_, response) => {
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${url()}; connect-src ${url()}; img-src data:`,
      ).end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<main><h1>Shop</h1><div id="form"></div></main><script src="${url()}/_sandbox/sdk.js"></script></html>`);
  });
  const shop = (): string => `http://localhost:${port()}/`;

  test('a page of another port makes a token, which its back end reads and charges', async () => {
    const { page, complaints } = await visit(shop());
    const token = await tokenise(page, { ...GOOD, metadata: { cart: '7' } });
    expect(token).toMatchObject({ ProviderId: STEADY, Metadata: { cart: '7' } });
    const read = await backEnd(url(), `/token/${String(token['TokenId'])}`, undefined, 'sk_test_front');
    expect(read.body).toMatchObject({ TokenId: token['TokenId'], Metadata: { cart: '7' } });
    expect(complaints).toEqual([]);
  });

  test('a page puts the form into an element, and is given its token; the form passes a strict policy', async () => {
    const { page, complaints } = await visit(shop());
    await page.evaluate((options) => {
      const form = window.playmoney.mountCardForm('#form', {
        ...options,
        submitLabel: 'Pay 15.50',
        onToken: ({ TokenId }) => {
          document.title = TokenId;
          form.unmount();
        },
      });
    }, GOOD);
    const height = await page
      .getByRole('button', { name: 'Pay 15.50' })
      .evaluate((one) => one.getBoundingClientRect().height);
    expect(height).toBeGreaterThanOrEqual(44);
    await page.getByLabel('Card number').fill('5555 5555 5555 4444');
    await page.getByLabel('Expiry date').fill('10 / 2030');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /^[0-9a-f]{32}$/.test(document.title));
    expect(await page.locator('form').count()).toBe(0);
    const read = await backEnd(url(), `/token/${await page.title()}`, undefined, 'sk_test_front');
    expect(read.body).toMatchObject({ Card: { Type: 'MASTERCARD', ExpiryDate: '10/30' } });
    expect(complaints).toEqual([]);
  });

  test('the page is notified of an error, which the form shows', async () => {
    const { page } = await visit(shop());
    await page.evaluate((options) => {
      const form = window.playmoney.mountCardForm(document.body, {
        ...options,
        onToken: () => {},
        onError: ({ code }) => (document.title = `code ${code}`),
      });
      form.setCard({ ...options.card, cardNumber: '4000000000000424' });
      form.element.requestSubmit();
    }, GOOD);
    await page.getByRole('alert').filter({ hasText: 'Tokenise Card Error' }).waitFor();
    expect(await page.title()).toBe('code 42');
  });

  test('a second press while the first is under way sends nothing', async () => {
    const { page } = await visit(shop());
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
    await page.evaluate((options) => {
      const form = window.playmoney.mountCardForm('#form', {
        ...options,
        onToken: () => {
          document.title = 'made';
        },
      });
      form.setCard(options.card);
      for (let press = 0; press < 3; press++) form.element.requestSubmit();
    }, GOOD);
    await page.waitForFunction(() => document.title === 'made');
    expect(asked).toHaveLength(1);
  });

  const says = (text: string | RegExp) => ({ message: expect.stringMatching(text) as string });
  const WRONG: readonly (readonly [what: string, change: object, expected: object])[] = [
    ['no public key', { publicKey: undefined }, says('publicKey is missing')],
    ['a secret key', { publicKey: 'sk_test_front' }, { ...says('secret key'), status: null }],
    ['a key that no header takes', { publicKey: 'pk_test_é' }, says('publicKey')],
    ['no provider', { providerId: undefined }, says('providerId')],
    ['no card', { card: undefined }, says('card is missing')],
    ['an address that is none', { baseUrl: '//' }, says('baseUrl')],
    [
      'a port where nobody is',
      { baseUrl: 'http://127.0.0.1:9' },
      says(/No answer from http:\/\/127\.0\.0\.1:9\/token\/card.*http:\/\/localhost.*--allowed-origin/),
    ],
    ['a key of another kind', { publicKey: 'front' }, { status: 401, code: 40, ...says('pk_test_') }],
    [
      'a wrong card',
      { card: { ...CARD, cardNumber: '1' } },
      { status: 400, code: 55, details: { 'PaymentInformation.CardNumber': expect.any(String) as string } },
    ],
    [
      'a card that is declined',
      { card: { ...CARD, cardNumber: '4000000000000424' } },
      { status: 400, code: 42, isRetryable: false },
    ],
  ];

  test('a wrong call says what is wrong', async () => {
    const { page } = await visit(shop());
    for (const [what, change, expected] of WRONG)
      expect(await tokenise(page, { ...GOOD, ...change }), what).toMatchObject({
        name: 'PlaymoneyError',
        ...expected,
      });
  });

  test('a form without a place says so', async () => {
    const { page } = await visit(shop());
    const message = await page.evaluate((options) => {
      try {
        window.playmoney.mountCardForm('#nowhere', { ...options, onToken: () => {} });
        return '';
      } catch (error) {
        return String(error);
      }
    }, GOOD);
    expect(message).toBe(
      'PlaymoneyError: mountCardForm found no element #nowhere. Add it to the page first.',
    );
  });

  test('a page of a stranger makes no token', async () => {
    const { page } = await visit(shop());
    const script = await (await fetch(`${url()}/_sandbox/sdk.js`)).text();
    await page.route('http://shop.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Stranger</title>' }),
    );
    await page.goto('http://shop.example.com/');
    await page.addScriptTag({ content: script });
    const refused = await tokenise(page, { ...GOOD, publicKey: 'pk_test_stranger', baseUrl: url() });
    expect(refused).toMatchObject({ name: 'PlaymoneyError', status: null });
    const { body } = await backEnd(
      url(),
      '/token?AddedAfter=2000-01-01T00:00:00Z',
      undefined,
      'sk_test_stranger',
    );
    expect(body).toMatchObject({ Count: 0 });
  });
});
