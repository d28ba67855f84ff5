import { describe, expect, test } from 'vitest';

import { readScenarioText } from '../../src/node/cli/scenario-file.js';
import { ALL_FEATURES } from '../../src/providers/record.js';
import { parseScenario } from '../../src/scenarios/schema.js';
import { expectShown } from './support.js';
import { words } from '../support/tables.js';

const file = (text: string): string => `name: a\n${text}\n`;
const rule = (text: string): string => file(`rules:\n  - ${text}`);
const when = (text: string): string => rule(`when: {${text}}\n    then: {outcome: approve}`);
const then = (text: string): string => rule(`when: {nth: 1}\n    then: {${text}}`);
const on = (operation: string, text: string): string =>
  rule(`when: {operation: ${operation}}\n    then: {${text}}`);
const webhooks = (text: string): string => file(`webhooks: {${text}}`);
const policy = (text: string): string => webhooks(`policies: [{${text}}]`);
const providers = (...all: string[]): string =>
  file(`providers:${all.map((one) => `\n  - {${one}}`).join('')}`);
const [ONES, TWOS] = [`providerId: '${'1'.repeat(32)}'`, `providerId: '${'2'.repeat(32)}'`];
const provider = (text: string): string => providers(`name: x, ${ONES}, ${text}`);
/** A place in an identifier that is written in groups. */
const grouped = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** What is said of a file, and its text, in which ¦ marks the place. */
const BROKEN: readonly (readonly [message: string, text: string])[] = [
  ['the file is empty; it takes a name and rules', '¦'],
  ['the file is empty', `¦# soon\n`],
  ['the scenario is a list; it takes an object of name, description,', `¦- name: a\n`],
  ['YAML: ', file(`keys: [x\n¦rules: []`)],
  ['a tab cannot indent YAML', file(`rules:\n¦\t- then: {fault: reset}`)],
  ['this member stands here for the second time', file(`seed: 1\n¦name: b`)],
  ['this member stands here for the second', `{"name": "a",\n "seed": 1, ¦"seed": 2}`],
  ['a second document begins here', file(`¦---\nname: b`)],
  ['this alias stands for nothing', `name: ¦*that\n`],
  ['YAML: Unresolved tag: !secret', `name: ¦!secret x\n`],
  ['name is missing; it takes a text of 1 to 100 characters', `¦seed: 1\n`],
  ['name is 12; it takes a text of 1 to 100 characters; put it in quotes', `name: ¦12\n`],
  ["'ruls' is no member of a scenario, which takes name,", file(`¦ruls: []`)],
  ["Did you mean 'name'?", `¦nmae: a\n`],
  ['rules is empty; it takes a list of rules', file(`¦rules:`)],
  ['rules is an object; it takes a list of rules', file(`rules: ¦{then: {fault: reset}}`)],
  [
    "clock is 'manuell'; it takes real, manual or a rate such as x60 (x0.001 to x1000000). Did you mean 'manual'?",
    file(`clock: ¦manuell`),
  ],
  ["clock is 'x9000000'; it takes real,", file(`clock: ¦x9000000`)],
  ["startTime is '2026-02-30T00:00:00Z'; it takes an instant", file(`startTime: ¦2026-02-30T00:00:00Z`)],
  ["dialect is 'skd'; it takes documented, sdk. Did you mean 'sdk'?", file(`dialect: ¦skd`)],
  ['keys[1] is no secret key; it takes a text such as sk_test_local', file(`keys: [sk_test_a, ¦sk_test b]`)],
  [
    "'whne' is no member of rules[0], which takes name, when, then, times. Did you mean 'when'?",
    rule(`¦whne: {}\n    then: {fault: reset}`),
  ],
  ['then is missing; it takes what the rule does', rule(`¦when: {nth: 1}`)],
  ['then does nothing; it takes outcome, fault, respond, nothing, delay or state', rule(`then: ¦{}`)],
  ["then is 'reset'; it takes an object of outcome,", rule(`then: ¦reset`)],
  [
    'name is the name of rule 1 as well',
    file(`rules:\n  - {name: x, then: {fault: reset}}\n  - {name: ¦x, then: {fault: hang}}`),
  ],
  ['times is 0; it takes a whole number from 1', rule(`then: {fault: reset}\n    times: ¦0`)],
  [
    "operation is 'charge.creat'; did you mean charge.create? Of charge it takes charge.create, charge.capture,",
    when(`operation: ¦charge.creat`),
  ],
  [
    "is 'chrage.read'; did you mean charge.read? Of charge it takes",
    when(`operation: [charge.void, ¦chrage.read]`),
  ],
  [
    "operation is 'vault.reencrypt'; of vault it takes vault.create, vault.read, vault.delete",
    when(`operation: ¦vault.reencrypt`),
  ],
  ["operation is 'refund.*'; it takes one of", when(`operation: ¦refund.*`)],
  [
    'provider is 1; it takes a ProviderId of 32 hex digits',
    when(`provider: ¦00000000000000000000000000000001`),
  ],
  ["Did you mean 'steady'?", when(`provider: ¦stedy`)],
  ["card is 'visa'; it takes the digits of a card number", when(`card: ¦visa`)],
  [
    "'gtt' is no member of amount, which takes gt, gte, lt, lte. Did you mean 'gt'?",
    when(`amount: {¦gtt: 5}`),
  ],
  ["amount is '20 AUD'; it takes an amount in major units", when(`amount: ¦20 AUD`)],
  ["gt is 'lots'; it takes an amount in major units", when(`amount: {gt: ¦lots}`)],
  ['amount is an empty object; it takes gt, gte, lt, lte', when(`amount: ¦{}`)],
  ['currency[1] is 36; it takes a currency such as AUD', when(`currency: [AUD, ¦36]`)],
  ['reference is an empty list; it takes at least one value', when(`reference: ¦[]`)],
  ['it takes 1 to 128 characters', when(`reference: ¦${'x'.repeat(129)}`)],
  ['secret is no secret; it takes a text of 1 to 1024 characters', webhooks(`secret: ¦7`)],
  ['secret is no secret; it takes a text of 1 to 1024 characters', webhooks(`secret: ¦${'x'.repeat(1025)}`)],
  [
    "event is 'batch.changed'; it takes one of transaction.status.changed,",
    policy(`when: {event: ¦batch.changed}, then: {drop: true}`),
  ],
  [
    "'operation' is no member of when, which takes event, url, status, reference, state, nth, every, after",
    policy(`when: {¦operation: charge.create}, then: {drop: true}`),
  ],
  ['then does nothing; it takes duplicate, delay,', policy(`then: ¦{}`)],
  ['drop stands beside swap', policy(`then: {swap: true, drop: ¦true}`)],
  ['duplicate is 11; it takes a whole number from 1 to 10', policy(`then: {duplicate: ¦11}`)],
  ['policies is an object; it takes a list of {when, then}', webhooks(`policies: ¦{then: {drop: true}}`)],
  ["'user agent' is no name of a header", when(`header: {¦user agent: x}`)],
  ['nth is 0; it takes a whole number from 1', when(`nth: ¦0`)],
  ['nth is an object; it takes one value or a list of them', when(`nth: ¦{first: 1}`)],
  ["nth is 'first'; it takes a whole number from 1", when(`nth: ¦first`)],
  ['delay is a list; it takes a duration such as 250ms, {min, max} or {median, sigma}', then(`delay: ¦[1s]`)],
  ['every is 1.5; it takes a whole number from 1', when(`every: ¦1.5`)],
  ['x is a list; it takes a text of at most 256 characters', when(`state: {x: ¦[1]}`)],
  ["Did you mean 'insufficient_funds'?", then(`outcome: ¦insuficient_funds`)],
  [
    "fault is 'rest'; it takes hang, reset, empty, truncate, malformed, dribble. Did you mean 'reset'?",
    then(`fault: ¦rest`),
  ],
  ['window is missing; it takes a duration', then(`fault: ¦{quota: 3}`)],
  ["Did you mean 'quota'?", then(`fault: {¦quotta: 3, window: 1s}`)],
  ["window is '0s'; a duration above zero is taken", then(`fault: {quota: 3, window: ¦0s}`)],
  ['status is 99; it takes a whole number from 200 to 599', then(`respond: {status: ¦99}`)],
  ['fault stands beside outcome; a rule takes one of them', then(`outcome: approve, fault: ¦reset`)],
  [
    "outcome is 'lost_card', which can do nothing: charge.read asks no provider; faults and delays act there, outcomes on charge.create, charge.capture, charge.void, charge.refund, charge.settle, customer.create, paymentMethod.create, token.create, batch.row",
    on('charge.read', `outcome: ¦lost_card`),
  ],
  [
    "outcome is 'approve', which can do nothing: vault.create, vault.read, vault.delete, batch.create ask no provider;",
    on('[vault.*, batch.create]', `state: {a: 1}, outcome: ¦approve`),
  ],
  [
    "fault is 'reset', which can do nothing: batch.row comes by no connection; an outcome acts there",
    on('batch.row', `fault: ¦reset`),
  ],
  [
    'fault can do nothing: batch.row comes by no connection',
    on('batch.row', `fault: ¦{quota: 1, window: 1s}`),
  ],
  ['respond can do nothing: batch.row comes by no connection', on('batch.row', `respond: ¦{status: 503}`)],
  [
    'delay can do nothing: batch.row comes by no connection',
    on('[batch.row]', `outcome: lost_card, delay: ¦1s`),
  ],
  ['delay is 250; it takes a duration such as 250ms,', then(`delay: ¦250`)],
  ["delay is '1h'; the longest is 60s", then(`delay: ¦1h`)],
  ['delay is a distribution of neither {min, max} nor {median, sigma}', then(`delay: ¦{median: 1s}`)],
  ['min is longer than max', then(`delay: {min: ¦2s, max: 1s}`)],
  ["phase is 'aftr'; it takes before, after. Did you mean 'after'?", then(`fault: reset, phase: ¦aftr`)],
  ["'is open' is no name of a state", then(`state: {¦is open: 1}`)],
  [
    "at is '1h'; it takes a time from the start of the scenario",
    file(`timeline: [{at: ¦1h, do: {providerUp: slow}}]`),
  ],
  [
    'do has none; it takes one of providerDown, providerUp, setState',
    file(`timeline:\n  - at: +1h\n    do: ¦{}`),
  ],
  ['failAt is 60; it takes a number from 0 to 1', file(`batches:\n  failAt: ¦60`)],
  ['stuckAt stands beside failAt', file(`batches:\n  failAt: 0.5\n  stuckAt: ¦0.6`)],
  ['providers is an object; it takes a list of providers', file(`providers: ¦{primary: {}}`)],
  ["'curency' is no member of providers[0], which takes name, providerId, type,", provider(`¦curency: NZD`)],
  [
    'providerId is missing; it takes a ProviderId of 32 hex digits or a UUID',
    file(`providers:\n  - ¦name: x`),
  ],
  ['; put it in quotes', file(`providers:\n  - {name: x, providerId: ¦${'1'.repeat(32)}}`)],
  [
    "providerId is '0000000000000000000000000000dead'; it takes a ProviderId",
    providers(`name: x, providerId: ¦0000000000000000000000000000dead`),
  ],
  [
    "name is 'slow'; it takes a name of 1 to 64 characters of ASCII without * and ? that no built-in provider has",
    file(`providers:\n  - {name: ¦slow, ${ONES}}`),
  ],
  [
    "name is 'prim*'; it takes a name of 1 to 64 characters",
    file(`providers:\n  - {name: ¦'prim*', ${ONES}}`),
  ],
  ['name is that of provider 1 as well', providers(`name: x, ${ONES}`, `name: ¦x, ${TWOS}`)],
  [
    'providerId is that of provider 1 as well',
    providers(`name: x, ${ONES}`, `name: y, providerId: ¦${grouped('1'.repeat(32))}`),
  ],
  ["currency is 'NZ'; it takes the currency of charges", provider(`currency: ¦NZ`)],
  ["country is 'Australia'; it takes the code", provider(`country: ¦Australia`)],
  ['latency is 250; it takes a duration such as 250ms', provider(`latency: ¦250`)],
  ["latency is '1h'; the longest is 60s", provider(`latency: ¦1h`)],
  ['min is longer than max', provider(`latency: {min: ¦2s, max: 1s}`)],
  ['outcomes is a list; it takes outcomes and', provider(`outcomes: ¦[approve]`)],
  [
    "'insuficient_funds' is no outcome. Did you mean 'insufficient_funds'?",
    provider(`outcomes: {approve: 9, ¦insuficient_funds: 1}`),
  ],
  ['approve is -1; it takes a number from 0', provider(`outcomes: {approve: ¦-1}`)],
  ['outcomes has no outcome with a share above zero', provider(`outcomes: ¦{approve: 0}`)],
  ['every is 0; it takes a whole number from 1', provider(`fails: {every: ¦0}`)],
  ['every is missing; it takes a whole', provider(`fails: ¦{outcome: lost_card}`)],
  ['fails is 3; it takes an object of every, outcome', provider(`fails: ¦3`)],
  ["Did you mean 'authorise'?", provider(`features: {¦autorise: false}`)],
  ["authorise is 'no'; it takes true, false", provider(`features: {authorise: ¦'no'}`)],
  ['costs has neither fixed nor percentage', provider(`costs: ¦{scheme: VISA}`)],
  ["Did you mean 'steady'?", provider(`fallback: ¦stedy`)],
  [
    "provider is 'primry'; it takes a ProviderId of 32 hex digits, or steady, amounts, slow, flaky, down, no-capture, whole-capture, primary; * and ? may stand in an id. Did you mean 'primary'?",
    `${provider('currency: NZD').replace('name: x', 'name: primary')}rules:\n  - {when: {provider: ¦primry}, then: {fault: reset}}\n`,
  ],
  [
    "providerDown is 'y'; it takes a ProviderId of 32 hex digits, or steady,",
    `${provider('currency: NZD')}timeline:\n  - {at: +1h, do: {providerDown: ¦y}}\n`,
  ],
  [
    "providerId is 'abc'; it takes",
    file(
      `providers:\n  - {name: x, providerId: ¦abc}\nrules:\n  - {when: {provider: x}, then: {fault: reset}}`,
    ),
  ],
  ["Did you mean 'immediate'?", file(`batches: {pace: ¦imediate}`)],
];

describe('broken scenario files', () => {
  test.each(BROKEN)('shown where it stands: %s', (message, marked) => expectShown(marked, message));

  test('all that is wrong is said, in the order of the file', async () => {
    const read = await readScenarioText('seed: [1]\nname: a\nclock: x\nrules:\n  - then: {fault: x}\n', 'f');
    const places = 'problems' in read ? read.problems.map(({ line, column }) => `${line}:${column}`) : [];
    expect(places).toEqual(['1:7', '3:8', '5:19']);
  });

  test('a value behind an alias is shown where it was written', async () => {
    const read = await readScenarioText('name: a\nseed: &x [1]\nstartTime: *x\n', 'f');
    const places = 'problems' in read ? read.problems.map(({ line, column }) => `${line}:${column}`) : [];
    expect(places).toEqual(['2:10', '3:12']);
  });

  test.each([
    [
      'aliases of aliases',
      'a: &a [1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]\n',
    ],
    ['nesting without end', '['.repeat(100_000)],
    ['a text without end', `name: ${'a'.repeat(1_000_000)}`],
  ])('%s end in one problem, not in a crash', async (_, text) => {
    expect(await readScenarioText(text, 'f')).toMatchObject({ problems: [{ file: 'f', line: 1 }] });
  });

  test('a card number in a wrong place is not repeated', () => {
    const read = parseScenario({ name: 'a', clock: '4111111111111111' });
    expect(JSON.stringify(read)).toContain('4111********1111');
    expect(JSON.stringify(read)).not.toContain('4111111111111111');
  });
});

const WHOLE = `
# yaml-language-server: $schema=schema.json
name: a bad day
description: All members at once.
seed: 42
clock: x60
startTime: 2030-01-01T00:00:00Z
dialect: documented
keys: sk_test_local
providers:
  - name: primary
    providerId: AAAAAAAA-1111-2222-3333-444444444444
    type: nab_transact
    currency: NZD
    country: NZL
    latency: {median: 80ms, sigma: 0.5}
    outcomes: {approve: 9, lost_card: 1}
    fails: {every: 3}
    features: {partialCapture: false}
    costs: [{scheme: VISA, fixed: 0.3}, {percentage: 1.5}]
    fallback: backup
    threeDs: slow
  - {name: backup, providerId: '22222222222222222222222222222222'}
rules:
  - name: lost answers
    when: {operation: charge.*, provider: [primary, slow], header: {X-Try: '1*'}, amount: {gte: 10.5}}
    then: {fault: reset, phase: after, delay: {min: 10ms, max: 1s}}
    times: 3
  - then: {respond: {status: 429, retryAfter: 2}}
timeline:
  - {at: +90m, do: {providerDown: flaky}}
  - {at: +91m, do: {providerDown: primary}}
ccvTtl: 10m
knownProvidersOnly: true
batches: {pace: immediate, failAt: 0.6}
webhooks:
  secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  policies:
    - {name: twice, when: {event: 'batch.*', status: SUCCESS, nth: 2}, then: {duplicate: 3}, times: 1}
    - then: {delay: 5m, badSignature: true, staleTimestamp: 1h}
`;

describe('whole scenario files', () => {
  test('every member is read into plain data', async () => {
    const read = await readScenarioText(WHOLE, 'f');
    expect('scenario' in read ? read.scenario : read).toEqual({
      name: 'a bad day',
      description: 'All members at once.',
      seed: '42',
      clock: { mode: 'scaled', rate: 60 },
      startTime: Date.UTC(2030, 0, 1),
      dialect: 'documented',
      keys: ['sk_test_local'],
      providers: [
        {
          providerId: 'aaaaaaaa111122223333444444444444',
          type: 'nab_transact',
          name: 'primary',
          environment: 'SANDBOX',
          currency: 'NZD',
          authenticationParameters: {},
          additionalParameters: {},
          country: 'NZL',
          threeDsProviderId: '00000000000000000000000000000003',
          fallbackProviderId: '22222222222222222222222222222222',
          costs: [
            { international: null, scheme: 'VISA', transaction: 0.3, percentage: null },
            { international: null, scheme: null, transaction: null, percentage: 1.5 },
          ],
          behaviour: {
            latency: { kind: 'lognormal', medianMs: 80, sigma: 0.5 },
            outcomes: [
              { outcome: 'approve', weight: 9 },
              { outcome: 'lost_card', weight: 1 },
            ],
            fails: { every: 3, outcome: 'provider_unavailable' },
            features: { authorise: true, partialCapture: false, partialRefund: true },
          },
        },
        {
          providerId: '22222222222222222222222222222222',
          type: 'dummy',
          name: 'backup',
          environment: 'SANDBOX',
          currency: 'AUD',
          authenticationParameters: {},
          additionalParameters: {},
          country: null,
          threeDsProviderId: null,
          fallbackProviderId: null,
          costs: [],
          behaviour: { latency: null, outcomes: [], fails: null, features: ALL_FEATURES },
        },
      ],
      seedData: null,
      rules: [
        {
          name: 'lost answers',
          when: {
            operation: words`
              charge.create charge.capture charge.void charge.refund charge.settle charge.read charge.search
            `,
            provider: ['aaaaaaaa111122223333444444444444', '00000000000000000000000000000003'],
            header: { 'X-Try': ['1*'] },
            amount: { gte: 10.5 },
          },
          effect: {
            fault: { kind: 'reset' },
            phase: 'after',
            delay: { kind: 'uniform', minMs: 10, maxMs: 1000 },
          },
          times: 3,
        },
        {
          name: 'rule 2',
          when: {},
          effect: {
            fault: { kind: 'status', status: 429, body: null, retryAfterSeconds: 2 },
            phase: 'before',
          },
          times: null,
        },
      ],
      timeline: [
        {
          at: 5_400_000,
          do: { providerDown: '00000000000000000000000000000004' },
        },
        {
          at: 5_460_000,
          do: { providerDown: 'aaaaaaaa111122223333444444444444' },
        },
      ],
      ccvTtl: 600_000,
      knownProvidersOnly: true,
      batches: { pace: 0, failAt: 0.6, stuckAt: null },
      webhooks: {
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        policies: [
          {
            name: 'twice',
            when: { event: ['batch.*'], status: ['SUCCESS'], nth: [2] },
            effect: { phase: 'after', webhook: { duplicate: 3 } },
            times: 1,
          },
          {
            name: 'webhook 2',
            when: {},
            effect: {
              phase: 'after',
              webhook: { delay: 300_000, badSignature: true, staleTimestamp: 3_600_000 },
            },
            times: null,
          },
        ],
      },
    });
  });

  test('JSON is read like YAML', async () => {
    const text = '{"name": "a",\n\t"rules": [{"then": {"outcome": "lost_card"}}]}';
    const read = await readScenarioText(text, 'f.json');
    expect(read).toMatchObject({ scenario: { name: 'a', rules: [{ effect: { outcome: 'lost_card' } }] } });
  });
});
