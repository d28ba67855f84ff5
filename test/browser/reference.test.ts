import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { expectNoSidewaysScroll, stage, takePicture } from './support.js';

const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const IDS = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

const PAGE = '/_sandbox/reference';

describe.skipIf(CHROMIUM === undefined)('the reference page', () => {
  const { url, visit } = stage('--clock', 'manual');

  test('shows each operation, asks nobody else for anything, and breaks no rule of its policy', async () => {
    const { page, complaints } = await visit(PAGE);
    const shown = await page.locator('.operation:visible').evaluateAll((all) => all.map(({ id }) => id));
    expect(shown.toSorted()).toEqual(IDS.toSorted());
    await page.getByText('Charge a card', { exact: true }).click();
    await takePicture(page, 'reference');
    await page.locator('#chargeCard').getByText('PaymentInformation', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('leads to the other pages, which fit a narrow window and lead back', async () => {
    const { page, complaints } = await visit('/_sandbox', { viewport: { width: 360, height: 800 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    for (const name of ['Error codes', 'Checkout', 'Reference', 'Dashboard']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectNoSidewaysScroll(page);
    }
    expect(new URL(page.url()).pathname).toBe('/_sandbox');
    expect(complaints).toEqual([]);
  });

  test('finds operations by words of their path, method or summary', async () => {
    const { page } = await visit(PAGE);
    await page.getByLabel(/^Search \d+ operations$/).pressSequentially('delete refund');
    const left = page.locator('.operation:visible');
    expect(await left.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['undoCharge', 'refundCharge']);
    expect(await page.getByRole('status').first().textContent()).toBe(`2 of ${IDS.length} operations`);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toContain('Charges');
    expect(await page.getByRole('heading', { name: 'Vault' }).isVisible()).toBe(false);
  });

  test('opens the operation that its address names, and is used by the keyboard alone', async () => {
    const { page } = await visit(`${PAGE}#getCharge`);
    expect(await page.locator('#getCharge').evaluate((one: HTMLDetailsElement) => one.open)).toBe(true);
    const summary = page.locator('#voidCharge > summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('#voidCharge').getByRole('button', { name: 'Copy as curl' }).waitFor();
  });

  test('copies a command for the server that shows it, which does what it says', async () => {
    const { page } = await visit(PAGE, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText('Charge a card', { exact: true }).click();
    await page.locator('#chargeCard').getByRole('button', { name: 'Copy as curl' }).click();
    await page.locator('#chargeCard').getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toMatch(new RegExp(`^curl -s -X POST '${url()}/charge/card' `));
    const answer = execFileSync('bash', ['-c', command], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toMatchObject({ Amount: 15.5, Status: 'SUCCESS', Reference: 'order-1' });
  });
});
