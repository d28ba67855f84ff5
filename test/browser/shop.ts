import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from 'playwright-core';

import { backEnd } from './support.js';

/** Checkouts as they are written for the real script, from what is known of it: only the host differs. */
const CHECKOUTS = {
  card: `payfurl.init('sandbox', publicKey)
    .addCardLeastCost('payment', 20, 'AUD', { threeDSEmail: '', clickToPayEnabled: false })
    .setCustomerInfo({ firstName: 'Jo', lastName: 'Smith', email: 'jo@example.com', phoneNumber: '0400000000' })
    .setBillingAddress({ streetAddress: '1 High St', city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' })
    .setOrderInfo({ orderItems: [{ name: 'Tea', quantity: 1, sku: 'T', unitPrice: 20, totalAmount: 20 }], taxAmount: 0 })
    .preloadClickToPay()
    .onSuccess(charge).onFailure(fail);`,
  card3ds: `payfurl.init('sandbox', publicKey)
    .addCardLeastCost('payment', 20, 'AUD', { threeDSEmail: 'jo@example.com', style: 'compact' })
    .onSuccess(charge).onFailure(fail);`,
  dropIn: `payfurl.init('production', publicKey, true).addDropIn('payment', 20, 'AUD', { threeDSEmail: 'jo@example.com' })
    .onSuccess(charge).onFailure(fail);`,
  payTo: `payfurl.init('sandbox', publicKey).addPayTo('payment', 20).onSuccess(charge).onFailure(fail);`,
  paypal: `payfurl.init('sandbox', publicKey).addPaypal('payment', 20, 'AUD').onSuccess(charge).onFailure(fail);`,
  google: `payfurl.init('sandbox', publicKey).addGooglePay('payment', 20, 'AUD').onSuccess(charge).onFailure(fail);`,
  apple: `payfurl.init('sandbox', publicKey).addApplePay('payment', 20, 'AUD').onSuccess(charge).onFailure(fail);`,
  checkout: `payfurl.init('sandbox', publicKey)
    .addCheckout('payment', 20, 'AUD', 'optty', '00000000000000000000000000000002', {}, {})
    .onSuccess(charge).onFailure(fail);`,
  // As a plug-in does: a way to pay is shown if the providers allow it, and its button sits in a container of its own.
  wallets: `const { hasPaypalProviders, hasGooglePayProviders, hasApplePayProviders } = await info();
    payfurl.init('sandbox', publicKey).onSuccess(charge).onFailure(fail);
    const offered = [
      [hasPaypalProviders, 'paypal', (id) => payfurl.addPaypal(id, 20, 'AUD')],
      [hasGooglePayProviders, 'googlepay', (id) => payfurl.addGooglePay(id, 20, 'AUD')],
      [hasApplePayProviders, 'applepay', (id) => payfurl.addApplePay(id, 20, 'AUD')],
    ];
    for (const [isOffered, id, add] of offered) {
      if (!isOffered) continue;
      const container = document.createElement('div');
      container.id = id;
      document.getElementById('payment').append(container);
      add(id);
    }
    status.textContent = 'Ready';`,
  // The back end charges without 3-D Secure first, and the payer is authenticated where it was refused for that.
  afterRefusal: `payfurl.init('sandbox', publicKey).addCardLeastCost('payment', 20, 'AUD').onFailure(fail)
    .onSuccess(async ({ token }) => {
      const { code } = await charge({ token });
      if (code !== 113) return;
      payfurl.onSuccess(charge);
      payfurl.addThreeDsWithToken(token, 'jo@example.com', 20, 'AUD');
    });`,
  // The fields are those of the shop.
  ownFields: `payfurl.init('sandbox', publicKey).onSuccess(charge).onFailure(fail);
    const typed = document.createElement('input');
    typed.ariaLabel = 'Number of your card';
    document.getElementById('payment').append(typed);
    place = () => payfurl.tokeniseWith3Ds(
      null, '00000000000000000000000000000001', typed.value, '10/30', 'Jo Smith', '123', 'jo@example.com', 20, 'AUD',
    );`,
} as const;
export type Checkout = keyof typeof CHECKOUTS;

/** The page of a shop: its own form around the container, a button of its own, and a back end that charges the token. */
function shopPage(sandbox: string, checkout: Checkout, world: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<style nonce="shop">body { font: 16px/1.5 system-ui; max-width: 28rem; margin: 2rem auto; padding: 0 1rem }</style>
<h1>Checkout</h1><p>Your order: AUD 20.00</p>
<form id="order" action="/left"><div id="payment"></div><p><button id="place">Place order</button></p></form>
<p id="status" role="status"></p>
<script src="${sandbox}/v4.8.6/js/payfurl.js"></script>
<script nonce="shop">
  const publicKey = 'pk_test_${world}';
  const status = document.getElementById('status');
  window.results = []; window.failures = []; window.isValid = true;
  const charge = async (result) => {
    window.results.push(result);
    status.textContent = 'Paying …';
    const charged = await (await fetch('/pay?world=${world}', { method: 'POST', body: JSON.stringify(result) })).json();
    status.textContent = 'Order ' + charged.status;
    return charged;
  };
  const fail = (failure) => {
    window.failures.push(failure.error);
    status.textContent = failure;
  };
  let place = () => payfurl.execute();
  const info = async () =>
    (await fetch('${sandbox}/info/providers', { headers: { 'x-publickey': publicKey, 'x-sandbox-dialect': 'sdk' } })).json();
  const begin = ${checkout === 'wallets' ? 'async ' : ''}() => {
  ${CHECKOUTS[checkout]}
  };
  begin();
  payfurl.onValidate(() => window.isValid);
  document.getElementById('order').addEventListener('submit', (event) => { event.preventDefault(); place(); });
</script></html>`;
}

export interface ShopWindow {
  readonly results: { readonly token?: string; readonly transactionId?: string }[];
  readonly failures: string[];
  isValid: boolean;
  readonly payfurl: { setAmount(amount: number): unknown };
}
declare const window: ShopWindow & typeof globalThis;

export interface Shop {
  /** The address of a checkout, which pays in a world of its own. */
  readonly address: (checkout: Checkout, world: string) => string;
  readonly close: () => void;
}

/** Opens a shop on a port of its own: a page for each checkout, and the back end behind it. */
export async function openShop(sandbox: string): Promise<Shop> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    const world = searchParams.get('world') ?? '';
    if (pathname === '/pay') {
      void read(request)
        .then((sent) => charge(sandbox, `sk_test_${world}`, sent))
        .then((charged) => response.setHeader('content-type', 'application/json').end(charged));
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    // As strict as a shop may be: what the script needs beyond this would stand in the console.
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-shop' ${sandbox}; style-src 'nonce-shop'; img-src data:; ` +
        `connect-src 'self' ${sandbox}; frame-src ${sandbox}`,
    );
    response.end(shopPage(sandbox, pathname.slice(1) as Checkout, world));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const home = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    address: (checkout, world) => `${home}/${checkout}?world=${world}`,
    close: () => closeAll(server),
  };
}

function closeAll(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** What a back end makes of what the page hands over: it charges a token, and looks a transaction up. */
async function charge(sandbox: string, key: string, sent: string): Promise<string> {
  const { token, transactionId } = JSON.parse(sent) as { token?: string; transactionId?: string };
  const { body } =
    token === undefined
      ? await backEnd(sandbox, `/charge/${transactionId}`, undefined, key)
      : await backEnd(sandbox, '/charge/token', { Amount: 20, Token: token }, key);
  return JSON.stringify({ status: body['Status'] ?? body['Message'], code: body['Code'] });
}

export async function typeCard(page: Page, number = '4242424242424242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('10/30');
  await page.getByLabel('Security code').fill('123');
}

export const results = (page: Page) => page.evaluate(() => window.results);
export const failures = (page: Page) => page.evaluate(() => window.failures);
/** Waits until the shop says something. */
export const said = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor();
