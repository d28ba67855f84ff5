import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type * as playmoney from '../../src/index.js';
import { CHROMIUM } from './chromium.js';
import { stage } from './support.js';

/** The package with its pages, which only the build embeds. */
const BUILT = '../../dist/index.js';

describe.skipIf(CHROMIUM === undefined)('under a path of an app', () => {
  const { visit } = stage();
  let server: ServerType;
  let home: string;
  beforeAll(async () => {
    const { createSandbox } = (await import(BUILT)) as typeof playmoney;
    const app = new Hono().mount('/pay', createSandbox({ basePath: '/pay' }).fetch);
    server = await new Promise((resolve) => {
      const one = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(one));
    });
    home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`;
  });
  afterAll(() => void server.close());

  test('the checkout makes a token, and the dashboard shows it', async () => {
    const { page, complaints } = await visit(`${home}/_sandbox/checkout`);
    await page.getByRole('button', { name: '4242424242424242' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'Token created' }).waitFor();
    expect(await page.locator('#command').textContent()).toContain(`'${home}/charge/token'`);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('/token/card').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/pay/_sandbox');
    expect(complaints).toEqual([]);
  });
});
