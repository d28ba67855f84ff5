import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { passesLuhn } from '../../../src/core/cards/card.js';
import { replaceSecrets } from '../../../src/control/snapshots/replace-secrets.js';
import { batchOf, expectRefused, STEADY, textIn } from '../../support/stored.js';
import { client, good, testHost, testSandbox } from '../../support/sandbox.js';

const KEY = 'sk_test_secret_of_a_shop';
const PAGE = '/_sandbox/bundle?Format=html';
const PROGRAM = 'export const openSandbox = null;';
/** They are no published test cards. */
const VAULTED = '5555444433331111';
const IN_TOKEN = '4000001234567899';
const MATCHED = '4000009876543219';
const PASSWORD = 'hunter2hunter2';

const hostWith = (readBrowserProgram: () => Promise<string>) => ({ ...testHost(), readBrowserProgram });
const served = () =>
  client(
    testSandbox(
      {},
      hostWith(() => Promise.resolve(PROGRAM)),
    ),
    KEY,
  );

interface Packed {
  readonly program: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly bundle: { readonly State: object; readonly Trace: { readonly Entries: readonly object[] } };
}

function unpack(page: string): { readonly text: string; readonly parts: Packed } {
  const [, packed = ''] = /<script type="text\/plain" id="packed">([\w+/=]+)<\/script>/.exec(page) ?? [];
  const text = gunzipSync(Buffer.from(packed, 'base64')).toString();
  return { text, parts: JSON.parse(text) as Packed };
}

const card = (CardNumber: string) => ({
  PaymentInformation: { CardNumber, ExpiryDate: '12/29', Ccv: '987', Cardholder: 'A B' },
});

/** A world with a card in the vault, one in an unused token, one in a rule, and a password of a provider. */
async function fillWorld(api: ReturnType<typeof served>): Promise<void> {
  const rules = [{ when: { operation: 'charge.create', card: MATCHED }, then: { outcome: 'lost_card' } }];
  await good(api.play({ name: 'a card', rules }));
  await good(api.post('/payment_method/card', { ProviderId: STEADY, VaultCard: true, ...card(VAULTED) }));
  await good(api.post('/token/card', card(IN_TOKEN), { providerid: STEADY }));
  const settings = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };
  const parameters = { MerchantId: '7', Password: PASSWORD };
  await good(api.post('/provider', { ...settings, AuthenticationParameters: parameters }));
  await api.charge({ ProviderId: STEADY, Amount: 5, Reference: 'order-1', ...card(MATCHED) });
}

describe('GET /_sandbox/bundle?Format=html', () => {
  test('is one page that may load nothing, with the dashboard and the world', async () => {
    const api = served();
    await good(api.post('/charge/token', { Amount: 5, Token: 'tok_approve', Reference: 'order-1' }));
    const { status, headers, text } = await api.get(PAGE);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;/);
    expect(text).toContain('connect-src &#39;none&#39;');
    expect(text).not.toMatch(/ src="|<link rel="stylesheet"/);
    const { parts } = unpack(text);
    expect(parts.program).toBe(PROGRAM);
    expect(Object.keys(parts.scripts).toSorted()).toEqual(
      expect.arrayContaining(['dashboard-chunk.js', 'dashboard-later.js', 'dashboard.js']),
    );
    expect(parts.bundle.Trace.Entries).toMatchObject([{ Path: '/charge/token', Status: 201 }]);
  });

  test('has no full card number, no Ccv, no password and no key', async () => {
    const api = served();
    await fillWorld(api);
    const whole = (await api.get('/_sandbox/bundle')).text;
    for (const secret of [VAULTED, IN_TOKEN, MATCHED, PASSWORD]) expect(whole).toContain(secret);
    const { text, parts } = unpack((await api.get(PAGE)).text);
    for (const secret of [VAULTED, IN_TOKEN, MATCHED, PASSWORD, KEY, '"987"'])
      expect(text).not.toContain(secret);
    const numbers = [...JSON.stringify(parts.bundle.State).matchAll(/"Pan":"(\d+)"/g)];
    expect(numbers.map(([, pan = '']) => [pan.slice(0, 6), pan.slice(-4), passesLuhn(pan)])).toEqual([
      ['555544', '1111', true],
      ['400000', '7899', true],
    ]);
  });

  test('has a title without a card number in the name of its world', async () => {
    const api = served();
    await good(api.post('/_sandbox/reset', { Name: `order ${VAULTED}` }));
    const page = (await api.get(PAGE)).text;
    expect(page).toMatch(/<title>order 5555.+1111 · playmoney<\/title>/);
    expect(page).not.toContain(VAULTED);
    expect(unpack(page).text).not.toContain(VAULTED);
  });

  test('has a state that another sandbox opens, in which the rule still matches its card', async () => {
    const api = served();
    await fillWorld(api);
    const { parts } = unpack((await api.get(PAGE)).text);
    const other = client(testSandbox());
    await good(other.put('/_sandbox/state', parts.bundle.State));
    expect(await other.counts()).toEqual(await api.counts());
    const [, matched = ''] = /"card":"(\d+)"/.exec(JSON.stringify(parts.bundle.State)) ?? [];
    expectRefused(
      await other.charge({ ProviderId: STEADY, Amount: 5, Reference: 'order-2', ...card(matched) }),
      400,
      55,
    );
  });

  test('has the webhooks of cards, charges and batches, delivered or failing, as a sandbox opens them', async () => {
    let sent = 0;
    const deliver = () => Promise.resolve({ status: sent++ % 2 === 0 ? 204 : 503 });
    const host = { ...hostWith(() => Promise.resolve(PROGRAM)), deliver };
    const api = client(testSandbox({}, host), KEY);
    const Webhook = { Url: 'http://127.0.0.1:9/hook' };
    await good(api.charge({ ProviderId: STEADY, Amount: 5, Reference: VAULTED, ...card(VAULTED), Webhook }));
    await good(
      api.charge({ ProviderId: STEADY, Amount: 6, Reference: 'order-2', ...card(MATCHED), Webhook }),
    );
    const method = await good(
      api.post('/payment_method/card', { ProviderId: STEADY, VaultCard: true, ...card(VAULTED) }),
    );
    const row = `${textIn(method, 'PaymentMethodId')},7,AUD,row-1`;
    await good(api.post('/batch/transaction/payment_method', batchOf([row], { Webhook })));
    await api.advance('1d');
    const { parts } = unpack((await api.get(PAGE)).text);
    const { Deliveries } = parts.bundle.State as {
      readonly Deliveries: readonly { readonly Body: string }[];
    };
    expect(Deliveries.length).toBeGreaterThan(2);
    const bodies = JSON.stringify(Deliveries.map(({ Body }) => JSON.parse(Body) as object));
    for (const sentText of ['batch.status.changed', 'transaction.status.changed', '5555********1111'])
      expect(bodies).toContain(sentText);
    const other = client(testSandbox());
    await good(other.put('/_sandbox/state', parts.bundle.State));
  });

  test('has stand-ins for card numbers in a text that is JSON', () => {
    const text = JSON.stringify({ CardNumber: VAULTED, Ccv: 987, note: Number(VAULTED), amount: 5 });
    const shown = replaceSecrets({ Metadata: text, Body: text }) as Readonly<Record<string, string>>;
    for (const written of Object.values(shown)) {
      expect(written).not.toContain('987');
      expect(JSON.parse(written)).toMatchObject({ CardNumber: expect.stringMatching(/^\d{16}$/), amount: 5 });
    }
    expect(shown['Body']).not.toContain(VAULTED);
    const plain = '{ "a": 1.50, "url": "https://shop.test/@me" }';
    expect(replaceSecrets({ Body: plain })).toEqual({ Body: plain });
  });

  test('is refused where there is no program to put into it', async () => {
    const withoutNode = await client(testSandbox()).get(PAGE);
    expect(expectRefused(withoutNode, 400, 90)).toContain('only by a server on Node');
    const unbuilt = testSandbox(
      {},
      hostWith(() => Promise.reject(new Error('ENOENT'))),
    );
    expect(expectRefused(await client(unbuilt).get(PAGE), 503, 37)).toContain('needs dist/browser.js');
  });

  test('takes json as well, and no other format', async () => {
    const api = served();
    expect((await api.get('/_sandbox/bundle?Format=json')).body).toMatchObject({
      Format: 'playmoney-bundle',
    });
    expectRefused(await api.get('/_sandbox/bundle?Format=pdf'), 400, 90, 'Format');
  });
});
