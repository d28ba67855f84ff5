import { describe, expect, test } from 'vitest';

import { toDefinition } from '../../../src/scenarios/file/definition.js';
import { parseScenario, readSavedScenario } from '../../../src/scenarios/file/schema.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { type BrokenFile, brokenFiles, expectShown, scenarioOf } from '../support.js';

const file = (text: string): string => `name: a\n${text}\n`;
const rule = (text: string): string => file(`rules:\n  - {${text}}`);
const when = (text: string): string => rule(`when: {${text}}, then: {delay: 1s}`);
const policy = (text: string): string =>
  file(`webhooks: {policies: [{when: {${text}}, then: {duplicate: 1}}]}`);
const provider = (name: string, digit: string, more: string): string =>
  `{name: ${name}, providerId: '${digit.repeat(32)}', ${more}}`;
const providers = (...all: string[]): string => file(`providers: [${all.join(', ')}]`);
const ID = '0123456789abcdef0123456789abcdef';

const IMPOSSIBLE: readonly BrokenFile[] = [
  ...brokenFiles(when)`
    currency: ¦AU$ → currency must be an ISO 4217 code such as AUD, not "AU$". Did you mean AUD?
    currency: ¦XYZ → currency must be an ISO 4217 code such as AUD, not "XYZ"
    currency: [aud, ¦XYZ] → currency[1] must be an ISO 4217 code such as AUD, not "XYZ"
    currency: ¦'X*Z*' → currency must be an ISO 4217 code such as AUD, not "X*Z*"
    amount: ¦{gt: 10, lt: 5} → amount can never match: no amount has gt 10 and lt 5
    amount: ¦{gte: 50, lte: 10} → amount can never match: no amount has gte 50 and lte 10
    amount: ¦{lte: 0} → amount can never match: no amount has lte 0
    amount: ¦{gt: 10, lt: 10.01}, currency: AUD → amount can never match: no amount in AUD has gt 10 and lt 10.01
    amount: ¦100.005, currency: AUD → amount has more decimals than AUD, which has 2: 100.005
    amount: ¦0.5, currency: jpy → amount has more decimals than JPY, which has 0: 0.5
    amount: [100, ¦100.005], currency: [AUD, NZD] → amount[1] has more decimals than AUD
    amount: ¦0 → amount must be greater than 0, not 0
    amount: ¦1000000000 → amount must be at most 999999999.99, not 1000000000
    operation: ¦charge.search, card: '4*' → operation "charge.search" can never match, because its calls have no card
    operation: [charge.create, ¦charge.search], card: '4*' → operation[1] "charge.search" can never match
    operation: ¦vault.create, amount: 5 → operation "vault.create" can never match, because its calls have no amount
    operation: ¦'vault.*', card: '4*', currency: AUD → operation "vault.*" can never match, because its calls have no currency
    operation: ¦vault.create, each: customer, nth: 2 → operation "vault.create" can never match, because its calls have no customer
    customer: ¦jo → customer must be a CustomerId (32 hexadecimal digits in lower case) or a pattern of it, not "jo"
    customer: ¦${ID.toUpperCase()} → customer must be a CustomerId
    customer: [${ID}, ¦'cus_*'] → customer[1] must be a CustomerId
    provider: ¦'${'1'.repeat(33)}*' → provider must be a ProviderId (32 hexadecimal digits) or a pattern of it
    card: ¦'4111' → card must be a card number of 12 to 19 digits that passes the Luhn check, or a pattern of it
    card: ¦'4111111111111112' → card must be a card number
    card: ¦'${'4'.repeat(20)}*' → card must be a card number
    card: ¦'41111111????????????' → card must be a card number
    card: ¦4111111111111112-4111111111111119 → card has no card number: none of the range passes
    header: {x-shop: ¦' abc'} → x-shop must be a text that a header can have
    header: {x-shop: ¦'日本'} → x-shop must be a text that a header can have
    header: {X-Shop: a, ¦x-shop: b} → x-shop is the same header as X-Shop
    state: {provider: ¦down} → provider is never "down", because no rule that can match and no entry of the timeline sets it
    nth: ¦3, every: 2 → nth can never match: 3 is not a multiple of every, which is 2
    nth: [2, ¦3], every: 2 → nth[1] can never match: 3 is not
    from: 10m, until: ¦5m → until can never match: it must be later than from, which is 10m
    from: 10m, until: ¦600s → until can never match
  `,
  ...brokenFiles(policy)`
    status: ¦Paid → status must be one of PENDING, FAILED,
    status: ¦Paid → not "Paid". Did you mean SUCCESS?
    status: [success, ¦Paid] → status[1] must be one of
    event: transaction.*, status: ¦Active → not "Active"
    event: subscription.*, status: ¦Activ → not "Activ". Did you mean Active?
    event: ¦customer.created, status: SUCCESS → event "customer.created" can never match, because its records have no status
    event: [transaction.*, ¦'paymentMethod.*'], status: SUCCESS → event[1] "paymentMethod.*" can never match
    event: ¦'batch.*', reference: a → event "batch.*" can never match, because its records have no reference
    event: ¦'batch.*', each: customer, nth: 2 → event "batch.*" can never match, because its records have no customer
    url: ¦localhost → url must be the Url of a receiver, or a pattern of it, not "localhost"
    url: ¦localhost → Did you mean *localhost*?
    url: ¦'localhost*' → url must be the Url of a receiver
    url: ¦'ftp://*' → url must be the Url of a receiver
    url: ¦http://shop.example/hook → url must be the Url of a receiver
    url: ¦'http://shop.example/*' → url must be the Url of a receiver
    url: ¦'https://8.8.8.8/*' → url must be the Url of a receiver
    url: ['*/hook', ¦'^https://.*'] → url[1] must be the Url of a receiver
    state: {a: ¦1} → a is never 1, because no rule
    until: ¦0s → until can never match
  `,
  ...brokenFiles(rule)`
    when: {operation: ¦vault.create, amount: 5}, then: {respond: {status: 418}} → operation "vault.create" can never match, because its calls have no amount
    when: {operation: ¦batch.row, header: {x-shop: a}}, then: {outcome: do_not_honor} → operation "batch.row" can never match, because its calls have no header
    when: {state: {a: ¦1}}, then: {state: {a: 1}} → a is never 1, because no rule that can match
  `,
  ...brokenFiles(file)`
    timeline: [{at: +1s, do: {setState: {provider: down}}}]\nrules:\n  - {when: {state: {provder: ¦down}}, then: {delay: 1s}} → Did you mean provider?
    timeline: [{at: +1s, do: {setState: {provider: down}}}]\nrules:\n  - {when: {state: {provider: ¦up}}, then: {delay: 1s}} → provider is never "up": rules and timeline set it to "down"
    rules:\n  - {when: {nth: 1}, then: {state: {on: 1}}}\n  - {when: {state: {on: ¦'1'}}, then: {delay: 1s}} → on is never "1": rules and timeline set it to 1
    keys: ¦pk_test_a → keys is a public key. Use the secret key, which begins with sk_test_
    keys: [sk_test_a, ¦sk_live_b] → keys[1] is a live key, but this is a sandbox
    keys: ¦sk_test_revoked → keys is sk_test_revoked, which is always refused
  `,
  ['fallback leads back to its own provider: a, a', providers(provider('a', '1', 'fallback: ¦a'))],
  ['scheme must be one of', providers(provider('a', '1', 'costs: {scheme: ¦VISSA, fixed: 1}'))],
  ['not "VISSA". Did you mean VISA?', providers(provider('a', '1', 'costs: [{scheme: ¦VISSA, fixed: 1}]'))],
  [
    'scheme can never match, because costs[0] comes first',
    providers(provider('a', '1', 'costs: [{scheme: visa, fixed: 1}, {scheme: ¦VISA, fixed: 2}]')),
  ],
  [
    'can never match, because costs[0] comes first',
    providers(provider('a', '1', 'costs: [{fixed: 1}, ¦{fixed: 2}]')),
  ],
];

describe('what can never match in a scenario', () => {
  test.each(IMPOSSIBLE)('is refused at its place: %s', async (message, marked) => {
    await expectShown(marked, message);
  });

  test('is refused for each provider of a circle', () => {
    const parsed = parseScenario({
      name: 'x',
      providers: [
        { name: 'a', providerId: '1'.repeat(32), fallback: 'b' },
        { name: 'b', providerId: '2'.repeat(32), fallback: 'a' },
      ],
    });
    expect(parsed).toMatchObject({
      issues: [
        { path: ['providers', 0, 'fallback'], message: 'fallback leads back to its own provider: a, b, a' },
        { path: ['providers', 1, 'fallback'], message: 'fallback leads back to its own provider: b, a, b' },
      ],
    });
  });

  test('is refused by the control call with its path, and the scenario before stays', async () => {
    const api = client(testSandbox());
    await good(api.play({ name: 'before' }));
    const { status, body } = await api.play({
      name: 'x',
      rules: [{ when: { currency: ['aud', 'AU$'] }, then: { delay: '1s' } }],
    });
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Details']).toEqual({
      'Definition.rules.0.when.currency.1':
        'currency[1] must be an ISO 4217 code such as AUD, not "AU$". Did you mean AUD?',
    });
    expect((await api.read('/_sandbox/scenario'))['Scenario']).toBe('before');
  });

  test('still opens in a file that was saved', () => {
    const saved = { name: 'x', rules: [{ when: { currency: 'XYZ' }, then: { delay: '1s' } }] };
    expect('issues' in parseScenario(saved)).toBe(true);
    expect('scenario' in readSavedScenario(saved)).toBe(true);
  });
});

describe('what can match is accepted', () => {
  test.each([
    when('currency: [aud, K*, ?ud]'),
    when('amount: {gte: 50, lte: 50}, currency: AUD'),
    when('amount: 100.005, currency: [AUD, KWD]'),
    when('amount: {gt: 10, lt: 10.01}'),
    when("operation: vault.create, card: '4*'"),
    when("operation: charge.*, card: '4*'"),
    when('operation: subscription.create, amount: 5, currency: aud'),
    when(`customer: ['*', 'ab*', ${ID}]`),
    when("card: ['4111*', '411111111111111?', '*1111', 4111111111111111, 222100-272099]"),
    when('header: {X-Shop: [abc, "a b*"]}'),
    when('state: {never: null}'),
    when('nth: [2, 4], every: 2'),
    when('from: 0s, until: 10m'),
    policy('status: [success, AUTHORISE, partial*]'),
    policy("event: 'subscription.*', status: active"),
    policy(
      "url: ['*localhost*', 'http://localhost:3000/*', 'https://*', 'http*', 'https://shop.example/hook']",
    ),
    policy("url: ['http://10.0.0.?/hook', 'https://shop?.example/*', '*']"),
    providers(
      provider('a', '1', 'fallback: b, costs: [{scheme: visa, fixed: 1}, {fixed: 2}]'),
      provider('b', '2', 'fallback: steady'),
    ),
    file(
      'rules:\n  - {when: {state: {b: 2}}, then: {delay: 1s}}\n  - {when: {state: {a: 1}}, then: {state: {b: 2}}}\n  - {when: {nth: 1}, then: {state: {a: 1}}}',
    ),
    file('keys: [sk_test_a, own-key]'),
  ])('%s', async (text) => {
    expect(await scenarioOf(text)).toMatchObject({ name: 'a' });
  });

  test('and so is the definition that is read back, in which patterns of operations are lists', async () => {
    const scenario = await scenarioOf(when("operation: charge.*, card: '4*'"));
    expect('scenario' in parseScenario(JSON.parse(JSON.stringify(toDefinition(scenario))))).toBe(true);
  });
});
