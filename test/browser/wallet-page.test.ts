import { describe, expect, test } from 'vitest';

import { STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { backEnd, serverBeside, stage, takePicture } from './support.js';

const DARK = { colorScheme: 'dark', viewport: { width: 390, height: 760 } } as const;

describe.skipIf(CHROMIUM === undefined)('the page of a wallet', () => {
  const { url, visit } = stage('--clock', 'manual');
  const shop = serverBeside((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<h1>Thank you</h1>');
  });

  async function waiting(more: object = {}) {
    const RedirectUrl = `http://127.0.0.1:${shop()}/back?order=7`;
    const sent = { Amount: '15.50', ProviderId: STEADY, ProviderType: 'paypal', RedirectUrl, ...more };
    const { body } = await backEnd(url(), '/charge/checkout', sent);
    const charge = String(body['ChargeId']);
    const { Url, ExternalId } = body['Checkout'] as Record<string, string>;
    const read = async () => (await backEnd(url(), `/charge/${charge}`)).body['Status'];
    return { page: Url ?? '', charge, externalId: ExternalId, read };
  }

  test.each([
    ['Approve', 'SUCCESS'],
    ['Decline', 'FAILED'],
  ])('%s: the payer is redirected to the shop, with the identifiers', async (name, status) => {
    const { page: address, charge, externalId, read } = await waiting();
    const { page } = await visit(address);
    await takePicture(page, 'wallet-page');
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const query = Object.fromEntries(new URL(page.url()).searchParams);
    expect(query).toMatchObject({ order: '7', chargeId: charge, externalId });
    expect(await read()).toBe(status);
  });

  test('waits for a payer who never comes back, until the check-out expires', async () => {
    const { page: address, read } = await waiting({ RedirectUrl: undefined });
    const { page } = await visit(address, DARK);
    await takePicture(page, 'wallet-page-dark');
    expect(await read()).toBe('PENDING_CHECKOUT');
    await backEnd(url(), '/_sandbox/clock/advance', { By: '30m' });
    await page.getByText('Not approved. You can close this page.').waitFor();
    expect(await read()).toBe('FAILED');
  });

  test('tells the page that opened it in a pop-up', async () => {
    const { page: address, charge, read } = await waiting({ RedirectUrl: undefined });
    const { page } = await visit(`http://127.0.0.1:${shop()}/`);
    const popup = page.waitForEvent('popup');
    await page.evaluate((to) => {
      addEventListener(
        'message',
        ({ data }: MessageEvent<{ chargeId: string }>) => (document.title = data.chargeId),
      );
      open(to);
    }, address);
    await (await popup).getByRole('button', { name: 'Approve' }).click();
    await page.waitForFunction((id) => document.title === id, charge);
    expect(await read()).toBe('SUCCESS');
  });
});
