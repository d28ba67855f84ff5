import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import {
  type Checkout,
  failures,
  openShop,
  results,
  said,
  type Shop,
  type ShopWindow,
  typeCard,
} from './shop.js';
import { backEnd, stage, takePicture } from './support.js';

declare const window: ShopWindow & typeof globalThis;

describe.skipIf(CHROMIUM === undefined)('a checkout that was written for the real script', () => {
  const { url, visit } = stage('--clock', 'manual');
  const KEY = 'sk_test_plugin';
  let shop: Shop;
  const open = (checkout: Checkout) => visit(shop.address(checkout, 'plugin'));
  const control = (path: string, body: object) => backEnd(url(), `/_sandbox/${path}`, body, KEY);
  const createProvider = async (Type: string): Promise<string> => {
    const body = { Type, Name: Type, Environment: 'SANDBOX', Currency: 'AUD' };
    return String((await backEnd(url(), '/provider', body, KEY)).body['ProviderId']);
  };
  beforeAll(async () => {
    shop = await openShop(url());
  });
  afterAll(() => shop.close());

  test('a card is paid by the shop’s own button, and its token charged by the back end', async () => {
    const { page, complaints } = await open('card');
    await typeCard(page);
    await page.getByRole('button', { name: 'Place order' }).click();
    await said(page, 'Order SUCCESS');
    const [{ token } = {}] = await results(page);
    const { body } = await backEnd(url(), `/token/${token}`, undefined, KEY);
    expect(body).toMatchObject({
      TokenId: token,
      Card: { Type: 'VISA' },
      DateUsed: expect.any(String) as string,
    });
    // The form of the shop was not sent along with ours.
    expect(new URL(page.url()).pathname).toBe('/card');
    expect(complaints).toEqual([]);
    await takePicture(page, 'page-script-paid');
  });

  test('a card is paid by the button of the form, with the amount that was set last', async () => {
    const { page } = await open('card');
    await typeCard(page);
    await page.evaluate(() => window.payfurl.setAmount(25.5));
    const sent = page.waitForRequest(/least_cost/);
    await page.getByRole('button', { name: 'Pay AUD 25.5' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ Amount: 25.5, Currency: 'AUD' });
    await said(page, 'Order SUCCESS');
  });

  test('a decline is shown in the form, the page can show and read it, and another card is accepted', async () => {
    const { page } = await open('card');
    await typeCard(page, '4000000000000424');
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('alert').filter({ hasText: 'Tokenise Card Error' }).waitFor();
    await said(page, 'Tokenise Card Error');
    expect(await failures(page)).toEqual([expect.stringContaining('Tokenise Card Error')]);
    expect(await results(page)).toEqual([]);
    await takePicture(page, 'page-script-declined');
    await typeCard(page);
    await page.getByRole('button', { name: 'Pay AUD 20' }).click();
    await said(page, 'Order SUCCESS');
    expect(await results(page)).toHaveLength(1);
  });

  test.each(['Pay AUD 20', 'Place order'])(
    'nothing is sent while onValidate answers false; then a double click on “%s” makes one token',
    async (name) => {
      const { page } = await open('card');
      const asked: string[] = [];
      page.on(
        'request',
        (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname),
      );
      await typeCard(page);
      await page.evaluate(() => (window.isValid = false));
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name }).click();
      expect(asked).toEqual([]);
      await page.evaluate(() => (window.isValid = true));
      await page.getByRole('button', { name }).dblclick({ delay: 60 });
      await said(page, 'Order SUCCESS');
      expect(asked).toEqual(['/token/card/least_cost', '/pay']);
    },
  );

  test('while a slow gateway works, the button shows it and takes no further press', async () => {
    const { page } = await open('card');
    const queued = [{ Outcome: 'approve', Delay: '1500ms' }];
    await control('outcomes', { Operation: 'token.create', Outcomes: queued });
    await typeCard(page);
    const pay = page.getByRole('button', { name: 'Pay AUD 20' });
    await pay.click();
    await page.locator('button[aria-busy="true"][aria-disabled="true"]').waitFor();
    await takePicture(page, 'page-script-slow');
    await page.getByRole('button', { name: 'Place order' }).click();
    await control('clock/advance', { By: '2s' });
    await said(page, 'Order SUCCESS');
    expect(await results(page)).toHaveLength(1);
    expect(await pay.getAttribute('aria-busy')).toBe('false');
  });

  test('the wallets of a page that asks for its providers have buttons once they have providers', async () => {
    const world = 'sk_test_wallets';
    const { page, complaints } = await visit(shop.address('wallets', 'wallets'));
    await said(page, 'Ready');
    expect(await page.getByRole('button').allTextContents()).toEqual(['Place order']);
    for (const Type of ['paypal', 'googlepay', 'applepay'])
      await backEnd(url(), '/provider', { Type, Name: Type, Environment: 'SANDBOX', Currency: 'AUD' }, world);
    await page.reload();
    for (const [nth, [name, type]] of [
      ['PayPal', 'PAYPAL'],
      ['Google Pay', 'GOOGLEPAY'],
      ['Apple Pay', 'APPLEPAY'],
    ].entries()) {
      await page.getByRole('button', { name: `Pay with ${name}` }).click();
      // The page still says what became of the order before.
      const charged = async (): Promise<unknown> => {
        const { transactionId = 'none' } = (await results(page))[nth] ?? {};
        return (await backEnd(url(), `/charge/${transactionId}`, undefined, world)).body;
      };
      await expect.poll(charged).toMatchObject({ Status: 'SUCCESS', PaymentInformation: { Type: type } });
    }
    await said(page, 'Order SUCCESS');
    await takePicture(page, 'page-script-wallets');
    expect(complaints).toEqual([]);
  });

  test('without a provider, the button of a wallet is missing, and the console says why', async () => {
    const { page } = await visit(shop.address('google', 'nothing'));
    const warned = await page.waitForEvent('console', (message) => message.type() === 'warning');
    expect(warned.text()).toContain('Create a provider of the type googlepay');
    expect(await page.getByRole('button', { name: 'Google Pay' }).count()).toBe(0);
  });

  test.each<[Checkout, string, string]>([
    ['paypal', 'Pay with PayPal', 'paypal'],
    ['google', 'Pay with Google Pay', 'googlepay'],
    ['apple', 'Pay with Apple Pay', 'applepay'],
  ])(
    'the button of %s gives a transactionId, which the back end reads as a charge',
    async (checkout, name, wallet) => {
      const provider = await createProvider(wallet);
      const { page, complaints } = await open(checkout);
      await takePicture(page, `page-script-${checkout}`);
      await page.getByRole('button', { name }).click();
      await said(page, 'Order SUCCESS');
      const [paid] = await results(page);
      expect(Object.keys(paid ?? {})).toEqual(['transactionId']);
      const { body } = await backEnd(url(), `/charge/${paid?.transactionId}`, undefined, KEY);
      expect(body).toMatchObject({ Status: 'SUCCESS', Amount: 20, Currency: 'AUD', ProviderId: provider });
      expect(complaints).toEqual([]);
    },
  );

  test('the page of a check-out opens above the shop, and its approval gives the transactionId', async () => {
    const { page, complaints } = await open('checkout');
    await page.getByRole('button', { name: 'Pay with optty' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Approve' }).waitFor();
    await takePicture(page, 'page-script-checkout');
    await frame.getByRole('button', { name: 'Approve' }).click();
    await said(page, 'Order SUCCESS');
    const [paid] = await results(page);
    const { body } = await backEnd(url(), `/charge/${paid?.transactionId}`, undefined, KEY);
    expect(body).toMatchObject({ Status: 'SUCCESS', Amount: 20, PaymentInformation: { Type: 'OPTTY' } });
    expect(complaints).toEqual([]);
  });

  test.each([
    ['declines', 'was not approved', 'FAILED'],
    ['closes the page', 'was closed before', 'PENDING_CHECKOUT'],
  ])('a payer who %s at a check-out gives a failure', async (what, text, status) => {
    const { page } = await open('checkout');
    await page.getByRole('button', { name: 'Pay with optty' }).click();
    const decline = page.frameLocator('iframe').getByRole('button', { name: 'Decline' });
    await decline.waitFor();
    if (what === 'declines') await decline.click();
    else await page.keyboard.press('Escape');
    await said(page, text);
    expect(await results(page)).toEqual([]);
    const { body } = await backEnd(url(), '/charge?Limit=1', undefined, KEY);
    expect(body).toMatchObject({ Charges: [{ Status: status }] });
  });

  test('a wallet fails with a queued outcome', async () => {
    await createProvider('paypal');
    const { page } = await open('paypal');
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
    await control('outcomes', { Operation: 'charge.create', Outcomes: ['insufficient_funds'] });
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('alert').filter({ hasText: 'Insufficient' }).waitFor();
    expect(await failures(page)).toEqual([expect.stringContaining('Insufficient')]);
    expect(await results(page)).toEqual([]);
  });

  test('PayTo gives a token, which can be charged once its payer has agreed', async () => {
    const { page } = await open('payTo');
    await page.getByRole('button', { name: 'Agree to PayTo' }).click();
    await page.getByText('Enter the name of the account holder.').waitFor();
    await page.getByLabel('Name of the account holder').fill('Jo Smith');
    await page.getByLabel('PayID').fill('jo@example.com');
    await takePicture(page, 'page-script-payto');
    await page.getByRole('button', { name: 'Agree to PayTo' }).click();
    await said(page, 'Order');
    const [{ token } = {}] = await results(page);
    const { body } = await backEnd(url(), `/token/${token}`, undefined, KEY);
    expect(body).toMatchObject({ TokenId: token, PayToStatus: expect.any(String) as string });
  });

  test('the drop-in takes cards, and what the providers of the world take', async () => {
    for (const Type of ['paypal', 'azupay'])
      await backEnd(url(), '/provider', { Type, Name: Type, Environment: 'SANDBOX', Currency: 'AUD' }, KEY);
    const { page, complaints } = await open('dropIn');
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
    await page.getByText('PayTo', { exact: true }).waitFor();
    await takePicture(page, 'page-script-drop-in');
    await typeCard(page);
    await page.getByRole('button', { name: 'Pay AUD 20' }).click();
    await said(page, 'Order SUCCESS');
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await page.waitForFunction(() => window.results.length === 2);
    const [first, second] = await results(page);
    expect([Object.keys(first ?? {}), Object.keys(second ?? {})]).toEqual([['token'], ['transactionId']]);
    const { body } = await backEnd(url(), `/charge/${second?.transactionId}`, undefined, KEY);
    expect(body).toMatchObject({ Provider: { Type: 'paypal' } });
    expect(complaints).toEqual([]);
  });

  test('a loader of AMD modules is given the same object', async () => {
    const { page } = await open('card');
    const isSame = await page.evaluate(async (address) => {
      const made: unknown[] = [];
      const define = Object.assign((factory: () => unknown) => made.push(factory()), { amd: {} });
      Object.assign(window, { define });
      const script = document.createElement('script');
      script.src = address;
      document.head.append(script);
      await new Promise((resolve) => script.addEventListener('load', resolve));
      return made.length === 1 && made[0] === window.payfurl;
    }, `${url()}/v4.6.16/js/payfurl.js`);
    expect(isSame).toBe(true);
  });

  test('a wrong call says what is wrong', async () => {
    const { page } = await open('card');
    for (const [code, message] of [
      [`payfurl.init('live', 'pk_test_x')`, 'Unknown environment live. Use sandbox or production.'],
      [`payfurl.init('sandbox', 'sk_test_x')`, 'publicKey is a secret key'],
      [`payfurl.init('sandbox', 'pk_test_x').addPayTo('nowhere', 5)`, 'There is no element #nowhere.'],
    ] as const)
      await expect(page.evaluate(code)).rejects.toThrow(message);
  });
});
