import { afterEach, expect, test } from 'vitest';

import { createPayfurl, PlaymoneyError, tokenise } from '../src/browser/page.js';
import { createSandbox } from '../src/index.js';

/** What `playmoney/page` exports, without a page. `npm run test:install` uses it in jsdom, `npm run test:browser` in a browser. */

const HOME = 'http://gateway.test';
const CARD = { cardNumber: '4242424242424242', expiryDate: '12/99' };
const OPTIONS = { publicKey: 'pk_test_page', providerId: '00000000000000000000000000000001', card: CARD };

const sandbox = createSandbox();
const restore = sandbox.intercept(HOME);
afterEach(() => {
  restore();
  sandbox.close();
});

test('The functions for pages can be imported where there is no page, and call the sandbox at baseUrl.', async () => {
  const { TokenId } = await tokenise({ ...OPTIONS, baseUrl: `${HOME}/any/path` });
  const world = sandbox.world('sk_test_page');
  expect(await (await world.fetch(`/token/${TokenId}`)).json()).toMatchObject({ TokenId });
  await expect(tokenise({ ...OPTIONS, baseUrl: 'gateway' })).rejects.toThrow(
    'baseUrl is not an address: gateway',
  );
  expect(() => createPayfurl({ baseUrl: 'gateway' })).toThrow(PlaymoneyError);
  expect(Object.keys(globalThis)).not.toContain('payfurl');
});
