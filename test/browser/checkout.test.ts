import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { DOWN, STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { backEnd, expectNoSidewaysScroll, stage, takePicture } from './support.js';

const submit = (page: Page): Locator => page.getByRole('button', { name: 'Create token' });
const made = (page: Page): Locator => page.getByRole('heading', { name: 'Token created' });
const field = (page: Page, label: string): Locator => page.getByRole('textbox', { name: label });
const cardButton = (page: Page, number: string): Locator => page.getByRole('button', { name: number });

async function typeCard(page: Page, number: string, expiry = '1030', ccv = '123'): Promise<void> {
  await field(page, 'Card number').pressSequentially(number);
  await field(page, 'Expiry date').pressSequentially(expiry);
  await field(page, 'Security code').fill(ccv);
  await field(page, 'Name on card').fill('Jo Smith');
}

/** The text of the element that says what is wrong with a field. */
async function faultOf(page: Page, label: string): Promise<string | null> {
  const id = await field(page, label).getAttribute('aria-describedby');
  return page.locator(`#${id}`).textContent();
}

describe.skipIf(CHROMIUM === undefined)('the checkout page', () => {
  const { url, visit } = stage('--clock', 'manual');

  test('makes a token of a typed card, which the secret key charges', async () => {
    const { page, complaints } = await visit('/_sandbox/checkout?key=pk_test_shop');
    await typeCard(page, '4242424242424242');
    expect(await field(page, 'Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await field(page, 'Expiry date').inputValue()).toBe('10/30');
    await submit(page).click();
    await made(page).waitFor();
    await takePicture(page, 'checkout-token');
    const Token = await page.locator('#token').textContent();
    expect(Token).toMatch(/^[0-9a-f]{32}$/);
    const command = await page.locator('#command').textContent();
    expect(command).toContain(`'${url()}/charge/token'`);
    expect(command).toContain("'x-secretkey: sk_test_shop'");

    const charged = await backEnd(url(), '/charge/token', { Amount: 15.5, Token }, 'sk_test_shop');
    expect([charged.status, charged.body['Status']]).toEqual([201, 'SUCCESS']);
    const { body } = await backEnd(url(), '/charge', undefined, 'sk_test_shop');
    expect(body['Charges']).toMatchObject([
      {
        Amount: 15.5,
        ProviderId: STEADY,
        PaymentTokenId: Token,
        PaymentInformation: { Card: { CardNumber: '4242********4242', Cardholder: 'Jo Smith' } },
      },
    ]);
    expect(complaints).toEqual([]);
  });

  test('fills the form with a test card at a click, also with one that declines only the charge', async () => {
    const { page, complaints } = await visit('/_sandbox/checkout');
    await cardButton(page, '378282246310005').click();
    expect(await field(page, 'Card number').inputValue()).toBe('3782 822463 10005');
    expect(await field(page, 'Security code').inputValue()).toBe('1234');
    await cardButton(page, '4000000000009995').click();
    await submit(page).click();
    await made(page).waitFor();
    const Token = await page.locator('#token').textContent();
    const charged = await backEnd(url(), '/charge/token', { Amount: 15.5, Token });
    expect([charged.status, charged.body['Code']]).toEqual([400, 15]);
    expect(complaints).toEqual([]);
  });

  test('shows why a card is not taken, by its issuer or its provider, and takes the next one', async () => {
    const { page, complaints } = await visit('/_sandbox/checkout');
    await page.getByLabel('Provider').selectOption(DOWN);
    await cardButton(page, '4242424242424242').click();
    await submit(page).click();
    await page.getByRole('alert').filter({ hasText: 'no token was created' }).waitFor();
    await page.getByLabel('Provider').selectOption(STEADY);
    await cardButton(page, '4000000000000424').click();
    await submit(page).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Tokenise Card Error' });
    await alert.waitFor();
    await takePicture(page, 'checkout-declined');
    expect(await alert.textContent()).toContain('no token was created');
    expect(await made(page).isVisible()).toBe(false);
    await cardButton(page, '4242424242424242').click();
    await submit(page).click();
    await made(page).waitFor();
    expect(await alert.count()).toBe(0);
    // The browser itself writes a line for each answer that is an error.
    expect(complaints).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
  });

  test('shows next to each field what is wrong with it before anything is sent', async () => {
    const { page, complaints } = await visit('/_sandbox/checkout');
    await submit(page).click();
    expect(await faultOf(page, 'Card number')).toBe('Enter the card number.');
    expect(await faultOf(page, 'Expiry date')).toBe('Enter the expiry date.');
    expect(await faultOf(page, 'Security code')).toBe('');
    expect(await field(page, 'Card number').getAttribute('aria-invalid')).toBe('true');
    expect(await field(page, 'Card number').evaluate((input) => input === document.activeElement)).toBe(true);
    await takePicture(page, 'checkout-faults');

    await typeCard(page, '4242424242424241', '1330', '12');
    await submit(page).click();
    expect(await faultOf(page, 'Card number')).toContain('a digit is wrong');
    expect(await faultOf(page, 'Expiry date')).toContain('MM/YY');
    expect(await faultOf(page, 'Security code')).toContain('3 digits');
    await field(page, 'Card number').fill('4242424242424242');
    expect(await faultOf(page, 'Card number')).toBe('');
    expect(await field(page, 'Card number').getAttribute('aria-invalid')).toBeNull();
    expect(complaints).toEqual([]);
  });

  test('shows next to the date that the card expired by the world’s clock', async () => {
    const { page } = await visit('/_sandbox/checkout');
    await typeCard(page, '4242424242424242', '1225');
    await submit(page).click();
    await page.getByText('The card expired at the end of 12/25.').waitFor();
    expect(await faultOf(page, 'Expiry date')).toContain('Use a later ExpiryDate');
    expect(await field(page, 'Expiry date').evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('works with the keyboard alone', async () => {
    const { page, complaints } = await visit('/_sandbox/checkout');
    const { keyboard } = page;
    // Past the links to the other pages.
    for (let i = 0; i < 4; i++) await keyboard.press('Tab');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('pk_test_keys');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    for (const text of ['5555555555554444', '1030', '123', 'Jo Smith']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    expect(await submit(page).evaluate((button) => button === document.activeElement)).toBe(true);
    await takePicture(page, 'checkout-keyboard');
    await keyboard.press('Enter');
    await made(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'result');
    await keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('copy');
    expect(await page.locator('#command').textContent()).toContain('sk_test_keys');
    const { body } = await backEnd(
      url(),
      '/token?AddedAfter=2000-01-01T00:00:00Z',
      undefined,
      'sk_test_keys',
    );
    expect(body).toMatchObject({ Count: 1 });
    expect(complaints).toEqual([]);
  });

  test('is dark where the reader’s scheme is', async () => {
    for (const [colorScheme, isDark] of [
      ['light', false],
      ['dark', true],
    ] as const) {
      const { page, complaints } = await visit('/_sandbox/checkout', { colorScheme });
      const lightness = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d');
        if (canvas === null) return NaN;
        canvas.fillStyle = getComputedStyle(
          document.querySelector('.panel') ?? document.body,
        ).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data[0] ?? NaN;
      });
      expect(lightness < 128).toBe(isDark);
      await submit(page).click();
      await takePicture(page, `checkout-${colorScheme}`);
      expect(complaints).toEqual([]);
    }
  });

  test('shows hostile text as text, and quotes it for the shell', async () => {
    const key = `pk_test_'"><img/src=x/onerror=alert(1)>$(id)`;
    const { page, complaints } = await visit(`/_sandbox/checkout?key=${encodeURIComponent(key)}`);
    expect(await page.getByLabel('Public key').inputValue()).toBe(key);
    await cardButton(page, '4242424242424242').click();
    await submit(page).click();
    await made(page).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const secret = key.replace('pk_', 'sk_').replaceAll("'", String.raw`'\''`);
    expect(await page.locator('#command').textContent()).toContain(`-H 'x-secretkey: ${secret}'`);
    expect(complaints).toEqual([]);
  });

  test('copies the command, and fits a window of 360 px, also with a token', async () => {
    const { page } = await visit('/_sandbox/checkout', {
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 360, height: 740 },
    });
    await expectNoSidewaysScroll(page);
    await cardButton(page, '6011111111111117').click();
    await submit(page).click();
    await made(page).waitFor();
    await expectNoSidewaysScroll(page);
    await takePicture(page, 'checkout-360');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator('#command').textContent());
  });
});
