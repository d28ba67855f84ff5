import { afterAll, afterEach, expect, test, vi } from 'vitest';

import { createPayfurl, PlaymoneyError, tokenise } from '../../src/pages/page.js';
import { createSandbox } from '../../src/index.js';

/** What `playmoney/page` exports, without a page. `npm run test:install` uses it in jsdom, `npm run test:browser` in a browser. */

const HOME = 'http://gateway.test';
const CARD = { cardNumber: '4242424242424242', expiryDate: '12/99' };
const OPTIONS = { publicKey: 'pk_test_page', providerId: '00000000000000000000000000000001', card: CARD };

const sandbox = createSandbox();
const restore = sandbox.intercept(HOME);
afterEach(() => {
  vi.unstubAllGlobals();
});
afterAll(() => {
  restore();
  sandbox.close();
});

test('The functions for pages can be imported where there is no page, and call the sandbox at baseUrl.', async () => {
  const { TokenId } = await tokenise({ ...OPTIONS, baseUrl: `${HOME}/` });
  const world = sandbox.world('sk_test_page');
  expect(await (await world.fetch(`/token/${TokenId}`)).json()).toMatchObject({ TokenId });
  await expect(tokenise({ ...OPTIONS, baseUrl: 'gateway' })).rejects.toThrow(
    'baseUrl is not an address: gateway',
  );
  expect(() => createPayfurl({ baseUrl: 'gateway' })).toThrow(PlaymoneyError);
  expect(Object.keys(globalThis)).not.toContain('payfurl');
});

test('A page without fetch, such as one of jsdom alone, learns why it gets no token; one without an answer learns where it called.', async () => {
  const unreachable = tokenise({ ...OPTIONS, baseUrl: 'http://127.0.0.1:1' });
  await expect(unreachable).rejects.toThrow(
    'No answer from http://127.0.0.1:1/token/card. Check that the sandbox is running there and accepts calls from this program.',
  );
  vi.stubGlobal('fetch', undefined);
  await expect(tokenise({ ...OPTIONS, baseUrl: HOME })).rejects.toThrow('This page has no fetch.');
});
