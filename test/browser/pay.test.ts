import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { backEnd, expectNoSidewaysScroll, stage, takePicture } from './support.js';

/** Orange and 8 by 8 pixels. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4v5QBK2IYWhIAiLdYAUN8M9QAAAAASUVORK5CYII=';

describe.skipIf(CHROMIUM === undefined)('the page of a payment link', () => {
  const { url, visit } = stage('--clock', 'manual');

  /** Makes a link; gives its path, and a way to read it. */
  async function linkOf(link: object) {
    const { body } = await backEnd(url(), '/payment_link', { Title: 'Chair', Amount: '15.50', ...link });
    const read = async () => (await backEnd(url(), `/payment_link/${String(body['PaymentLinkId'])}`)).body;
    return { path: new URL(String(body['Url'])).pathname, read };
  }

  test('is paid by a card, says what the link says then, and goes nowhere by itself', async () => {
    const { path, read } = await linkOf({
      Description: 'Four legs, one back.\nIn oak.',
      Image: IMAGE,
      ConfirmationMessage: 'Thank you for your order.',
      RedirectUrl: 'https://shop.example.com/done?order=7',
      InvoiceId: 'browser-1',
    });
    const { page, complaints } = await visit(path);
    await takePicture(page, 'pay');
    await page.getByLabel('Card number').pressSequentially('4242424242424242');
    await page.getByLabel('Expiry date').pressSequentially('1030');
    await page.getByLabel('Security code').fill('123');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await takePicture(page, 'pay-paid');
    expect(await page.getByText('Thank you for your order.').isVisible()).toBe(true);
    const onward = page.getByRole('link', { name: 'Continue to shop.example.com' });
    expect(await onward.getAttribute('href')).toBe('https://shop.example.com/done?order=7');
    expect(page.url()).toBe(url() + path);
    expect(complaints).toEqual([]);
    expect(await read()).toMatchObject({ CountPayments: 1 });
    const { body } = await backEnd(url(), '/charge?Reference=browser-1');
    expect(body['Charges']).toMatchObject([
      { ChargeId: await page.locator('#charge').textContent(), Amount: 15.5, Status: 'SUCCESS' },
    ]);
  });

  test('shows a decline, takes another card, and then is paid for good', async () => {
    const { path, read } = await linkOf({ LimitPayments: 1 });
    const { page } = await visit(path);
    const button = page.getByRole('button', { name: 'Pay AUD 15.50' });
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: '4000000000009995' }).click();
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'Insufficient Funds' }).waitFor();
    await takePicture(page, 'pay-declined');
    expect(await read()).toMatchObject({ CountPayments: 0 });
    await page.getByRole('button', { name: '4242424242424242' }).click();
    await button.click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.reload();
    await page.getByText('It has reached its LimitPayments.').waitFor();
    expect(await page.locator('form').count()).toBe(0);
  });

  test('asks for the amount if the link has none, and fits a window of 360 px, whatever the link says', async () => {
    const Title = 'x'.repeat(300);
    const open = { Amount: null, Currency: 'NZD', CallToAction: 'Donate' };
    const { path } = await linkOf({ Title, Description: `<b>${Title}</b>`, Image: IMAGE, ...open });
    const { page, complaints } = await visit(path, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await expectNoSidewaysScroll(page);
    expect(await page.locator('b').count()).toBe(0);
    await page.getByRole('button', { name: 'Donate' }).click();
    expect(await page.getByText('Enter the amount.').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.getByLabel('Amount').fill('7.255');
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: '5555555555554444' }).click();
    await page.getByRole('button', { name: 'Donate' }).click();
    await page.getByText('Amount must have at most 2 decimals in NZD, not 7.255.').waitFor();
    await takePicture(page, 'pay-amount');
    await page.getByLabel('Amount').fill('7.25');
    await page.getByRole('button', { name: 'Donate' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.getByText('NZD 7.25').isVisible()).toBe(true);
    await expectNoSidewaysScroll(page);
  });
});
