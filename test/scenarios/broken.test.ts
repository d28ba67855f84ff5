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

/** By what is wrong: a text in which ¦ marks the place, and what is said of it. */
const BROKEN: Readonly<Record<string, [text: string, message: string]>> = {
  'nothing at all': ['¦', 'the file is empty; it takes a name and rules'],
  'comments alone': [`¦# soon\n`, 'the file is empty'],
  'a list': [`¦- name: a\n`, 'the scenario is a list; it takes an object of name, description,'],
  'an open bracket': [file(`keys: [x\n¦rules: []`), 'YAML: '],
  'a tab that indents': [file(`rules:\n¦\t- then: {fault: reset}`), 'a tab cannot indent YAML'],
  'a member twice': [file(`seed: 1\n¦name: b`), 'this member stands here for the second time'],
  'a member twice in JSON': [
    `{"name": "a",\n "seed": 1, ¦"seed": 2}`,
    'this member stands here for the second',
  ],
  'two documents': [file(`¦---\nname: b`), 'a second document begins here'],
  'an alias of nothing': [`name: ¦*that\n`, 'this alias stands for nothing'],
  'a tag': [`name: ¦!secret x\n`, 'YAML: Unresolved tag: !secret'],
  'no name': [`¦seed: 1\n`, 'name is missing; it takes a text of 1 to 100 characters'],
  'a name that is a number': [
    `name: ¦12\n`,
    'name is 12; it takes a text of 1 to 100 characters; put it in quotes',
  ],
  'an unknown member': [file(`¦ruls: []`), "'ruls' is no member of a scenario, which takes name,"],
  'a required member with a typing error': [`¦nmae: a\n`, "Did you mean 'name'?"],
  'an empty member': [file(`¦rules:`), 'rules is empty; it takes a list of rules'],
  'rules that are no list': [
    file(`rules: ¦{then: {fault: reset}}`),
    'rules is an object; it takes a list of rules',
  ],
  'an unknown clock': [
    file(`clock: ¦manuell`),
    "clock is 'manuell'; it takes real, manual or a rate such as x60 (x0.001 to x1000000). Did you mean 'manual'?",
  ],
  'a clock too fast': [file(`clock: ¦x9000000`), "clock is 'x9000000'; it takes real,"],
  'a day that does not exist': [
    file(`startTime: ¦2026-02-30T00:00:00Z`),
    "startTime is '2026-02-30T00:00:00Z'; it takes an instant",
  ],
  'an unknown dialect': [
    file(`dialect: ¦skd`),
    "dialect is 'skd'; it takes documented, sdk. Did you mean 'sdk'?",
  ],
  'a key with a blank': [
    file(`keys: [sk_test_a, ¦sk_test b]`),
    'keys[1] is no secret key; it takes a text such as sk_test_local',
  ],
  'an unknown member of a rule': [
    rule(`¦whne: {}\n    then: {fault: reset}`),
    "'whne' is no member of rules[0], which takes name, when, then, times. Did you mean 'when'?",
  ],
  'a rule that does nothing': [rule(`¦when: {nth: 1}`), 'then is missing; it takes what the rule does'],
  'then without anything': [
    rule(`then: ¦{}`),
    'then does nothing; it takes outcome, fault, respond, nothing, delay or state',
  ],
  'then that is a word': [rule(`then: ¦reset`), "then is 'reset'; it takes an object of outcome,"],
  'a name used twice': [
    file(`rules:\n  - {name: x, then: {fault: reset}}\n  - {name: ¦x, then: {fault: hang}}`),
    'name is the name of rule 1 as well',
  ],
  'times of zero': [
    rule(`then: {fault: reset}\n    times: ¦0`),
    'times is 0; it takes a whole number from 1',
  ],
  'an unknown operation': [
    when(`operation: ¦charge.creat`),
    "operation is 'charge.creat'; did you mean charge.create? Of charge it takes charge.create, charge.capture,",
  ],
  'an unknown operation in a list': [
    when(`operation: [charge.void, ¦chrage.read]`),
    "is 'chrage.read'; did you mean charge.read? Of charge it takes",
  ],
  'an operation that a resource has not': [
    when(`operation: ¦vault.reencrypt`),
    "operation is 'vault.reencrypt'; of vault it takes vault.create, vault.read, vault.delete",
  ],
  'a pattern of no operation': [when(`operation: ¦refund.*`), "operation is 'refund.*'; it takes one of"],
  'a provider that lost its zeros': [
    when(`provider: ¦00000000000000000000000000000001`),
    'provider is 1; it takes a ProviderId of 32 hex digits',
  ],
  'an unknown provider': [when(`provider: ¦stedy`), "Did you mean 'steady'?"],
  'a card of letters': [when(`card: ¦visa`), "card is 'visa'; it takes the digits of a card number"],
  'a condition on amounts that is none': [
    when(`amount: {¦gtt: 5}`),
    "'gtt' is no member of amount, which takes gt, gte, lt, lte. Did you mean 'gt'?",
  ],
  'an amount with a currency': [
    when(`amount: ¦20 AUD`),
    "amount is '20 AUD'; it takes an amount in major units",
  ],
  'a bound that is no amount': [
    when(`amount: {gt: ¦lots}`),
    "gt is 'lots'; it takes an amount in major units",
  ],
  'amounts without a bound': [when(`amount: ¦{}`), 'amount is an empty object; it takes gt, gte, lt, lte'],
  'a currency that is a number': [
    when(`currency: [AUD, ¦36]`),
    'currency[1] is 36; it takes a currency such as AUD',
  ],
  'an empty list of references': [
    when(`reference: ¦[]`),
    'reference is an empty list; it takes at least one value',
  ],
  'a pattern too long': [when(`reference: ¦${'x'.repeat(129)}`), 'it takes 1 to 128 characters'],
  'a secret that is none, which is not repeated': [
    webhooks(`secret: ¦hunter2`),
    'secret is no secret; it takes whsec_ and the Base64 of 24 to 64 bytes',
  ],
  'an event that there is not': [
    policy(`when: {event: ¦batch.changed}, then: {drop: true}`),
    "event is 'batch.changed'; it takes one of transaction.status.changed,",
  ],
  'a condition of rules at a policy': [
    policy(`when: {¦operation: charge.create}, then: {drop: true}`),
    "'operation' is no member of when, which takes event, url, status, reference, state, nth, every, after",
  ],
  'a policy that does nothing': [policy(`then: ¦{}`), 'then does nothing; it takes duplicate, delay,'],
  'a policy that does two things': [policy(`then: {swap: true, drop: ¦true}`), 'drop stands beside swap'],
  'too many copies': [
    policy(`then: {duplicate: ¦11}`),
    'duplicate is 11; it takes a whole number from 1 to 10',
  ],
  'policies that are no list': [
    webhooks(`policies: ¦{then: {drop: true}}`),
    'policies is an object; it takes a list of {when, then}',
  ],
  'a name that no header has': [when(`header: {¦user agent: x}`), "'user agent' is no name of a header"],
  'the zeroth call': [when(`nth: ¦0`), 'nth is 0; it takes a whole number from 1'],
  'calls that are an object': [
    when(`nth: ¦{first: 1}`),
    'nth is an object; it takes one value or a list of them',
  ],
  'a call that is a word': [when(`nth: ¦first`), "nth is 'first'; it takes a whole number from 1"],
  'a delay that is a list': [
    then(`delay: ¦[1s]`),
    'delay is a list; it takes a duration such as 250ms, {min, max} or {median, sigma}',
  ],
  'half a call': [when(`every: ¦1.5`), 'every is 1.5; it takes a whole number from 1'],
  'a state that is a list': [
    when(`state: {x: ¦[1]}`),
    'x is a list; it takes a text of at most 256 characters',
  ],
  'an unknown outcome': [then(`outcome: ¦insuficient_funds`), "Did you mean 'insufficient_funds'?"],
  'an unknown fault': [
    then(`fault: ¦rest`),
    "fault is 'rest'; it takes hang, reset, empty, truncate, malformed, dribble. Did you mean 'reset'?",
  ],
  'a quota without a window': [then(`fault: ¦{quota: 3}`), 'window is missing; it takes a duration'],
  'an unknown member of a quota': [then(`fault: {¦quotta: 3, window: 1s}`), "Did you mean 'quota'?"],
  'a window of no time': [
    then(`fault: {quota: 3, window: ¦0s}`),
    "window is '0s'; a duration above zero is taken",
  ],
  'a status that no answer has': [
    then(`respond: {status: ¦99}`),
    'status is 99; it takes a whole number from 200 to 599',
  ],
  'two decisions': [
    then(`outcome: approve, fault: ¦reset`),
    'fault stands beside outcome; a rule takes one of them',
  ],
  'an outcome where no provider is asked': [
    on('charge.read', `outcome: ¦lost_card`),
    "outcome is 'lost_card', which can do nothing: charge.read asks no provider; faults and delays act there, outcomes on charge.create, charge.capture, charge.void, charge.refund, charge.settle, customer.create, paymentMethod.create, token.create, batch.row",
  ],
  'an outcome for several operations that ask none': [
    on('[vault.*, batch.create]', `state: {a: 1}, outcome: ¦approve`),
    "outcome is 'approve', which can do nothing: vault.create, vault.read, vault.delete, batch.create ask no provider;",
  ],
  'a fault on the row of a batch': [
    on('batch.row', `fault: ¦reset`),
    "fault is 'reset', which can do nothing: batch.row comes by no connection; an outcome acts there",
  ],
  'a quota of rows': [
    on('batch.row', `fault: ¦{quota: 1, window: 1s}`),
    'fault can do nothing: batch.row comes by no connection',
  ],
  'an answer to a row': [
    on('batch.row', `respond: ¦{status: 503}`),
    'respond can do nothing: batch.row comes by no connection',
  ],
  'a delay of rows, also beside an outcome': [
    on('[batch.row]', `outcome: lost_card, delay: ¦1s`),
    'delay can do nothing: batch.row comes by no connection',
  ],
  'a delay without a unit': [then(`delay: ¦250`), 'delay is 250; it takes a duration such as 250ms,'],
  'a delay of an hour': [then(`delay: ¦1h`), "delay is '1h'; the longest is 60s"],
  'half a distribution': [
    then(`delay: ¦{median: 1s}`),
    'delay is a distribution of neither {min, max} nor {median, sigma}',
  ],
  'a delay whose bounds are swapped': [then(`delay: {min: ¦2s, max: 1s}`), 'min is longer than max'],
  'an unknown phase': [
    then(`fault: reset, phase: ¦aftr`),
    "phase is 'aftr'; it takes before, after. Did you mean 'after'?",
  ],
  'a state without a proper name': [then(`state: {¦is open: 1}`), "'is open' is no name of a state"],
  'an instant without a plus': [
    file(`timeline: [{at: ¦1h, do: {providerUp: slow}}]`),
    "at is '1h'; it takes a time from the start of the scenario",
  ],
  'an instant at which nothing happens': [
    file(`timeline:\n  - at: +1h\n    do: ¦{}`),
    'do has none; it takes one of providerDown, providerUp, setState',
  ],
  'a share of more than all': [
    file(`batches:\n  failAt: ¦60`),
    'failAt is 60; it takes a number from 0 to 1',
  ],
  'a batch that fails and stops': [
    file(`batches:\n  failAt: 0.5\n  stuckAt: ¦0.6`),
    'stuckAt stands beside failAt',
  ],
  'providers that are no list': [
    file(`providers: ¦{primary: {}}`),
    'providers is an object; it takes a list of providers',
  ],
  'an unknown member of a provider': [
    provider(`¦curency: NZD`),
    "'curency' is no member of providers[0], which takes name, providerId, type,",
  ],
  'a provider without an identifier': [
    file(`providers:\n  - ¦name: x`),
    'providerId is missing; it takes a ProviderId of 32 hex digits or a UUID',
  ],
  'a provider whose identifier is not quoted': [
    file(`providers:\n  - {name: x, providerId: ¦${'1'.repeat(32)}}`),
    '; put it in quotes',
  ],
  'the identifier of an unknown provider': [
    providers(`name: x, providerId: ¦0000000000000000000000000000dead`),
    "providerId is '0000000000000000000000000000dead'; it takes a ProviderId",
  ],
  'the name of a built-in provider': [
    file(`providers:\n  - {name: ¦slow, ${ONES}}`),
    "name is 'slow'; it takes a name of 1 to 64 characters of ASCII without * and ? that no built-in provider has",
  ],
  'a provider whose name is a pattern': [
    file(`providers:\n  - {name: ¦'prim*', ${ONES}}`),
    "name is 'prim*'; it takes a name of 1 to 64 characters",
  ],
  'two providers of one name': [
    providers(`name: x, ${ONES}`, `name: ¦x, ${TWOS}`),
    'name is that of provider 1 as well',
  ],
  'two providers of one identifier': [
    providers(`name: x, ${ONES}`, `name: y, providerId: ¦${grouped('1'.repeat(32))}`),
    'providerId is that of provider 1 as well',
  ],
  'an unknown currency': [provider(`currency: ¦NZ`), "currency is 'NZ'; it takes the currency of charges"],
  'a country by its name': [provider(`country: ¦Australia`), "country is 'Australia'; it takes the code"],
  'a latency without a unit': [
    provider(`latency: ¦250`),
    'latency is 250; it takes a duration such as 250ms',
  ],
  'a latency of an hour': [provider(`latency: ¦1h`), "latency is '1h'; the longest is 60s"],
  'a latency whose bounds are swapped': [provider(`latency: {min: ¦2s, max: 1s}`), 'min is longer than max'],
  'outcomes that are a list': [provider(`outcomes: ¦[approve]`), 'outcomes is a list; it takes outcomes and'],
  'a share of an unknown outcome': [
    provider(`outcomes: {approve: 9, ¦insuficient_funds: 1}`),
    "'insuficient_funds' is no outcome. Did you mean 'insufficient_funds'?",
  ],
  'a share below nothing': [provider(`outcomes: {approve: ¦-1}`), 'approve is -1; it takes a number from 0'],
  'shares of nothing': [
    provider(`outcomes: ¦{approve: 0}`),
    'outcomes has no outcome with a share above zero',
  ],
  'a failure of no call': [provider(`fails: {every: ¦0}`), 'every is 0; it takes a whole number from 1'],
  'a failure without a number': [
    provider(`fails: ¦{outcome: lost_card}`),
    'every is missing; it takes a whole',
  ],
  'a number that is the failure': [provider(`fails: ¦3`), 'fails is 3; it takes an object of every, outcome'],
  'an unknown feature': [provider(`features: {¦autorise: false}`), "Did you mean 'authorise'?"],
  'a feature that is a word': [
    provider(`features: {authorise: ¦'no'}`),
    "authorise is 'no'; it takes true, false",
  ],
  'a cost of nothing': [provider(`costs: ¦{scheme: VISA}`), 'costs has neither fixed nor percentage'],
  'an unknown fallback': [provider(`fallback: ¦stedy`), "Did you mean 'steady'?"],
  'a rule for a provider with a typing error': [
    `${provider('currency: NZD').replace('name: x', 'name: primary')}rules:\n  - {when: {provider: ¦primry}, then: {fault: reset}}\n`,
    "provider is 'primry'; it takes a ProviderId of 32 hex digits, or steady, amounts, slow, flaky, down, no-capture, whole-capture, primary; * and ? may stand in an id. Did you mean 'primary'?",
  ],
  'a timeline for an unknown provider': [
    `${provider('currency: NZD')}timeline:\n  - {at: +1h, do: {providerDown: ¦y}}\n`,
    "providerDown is 'y'; it takes a ProviderId of 32 hex digits, or steady,",
  ],
  'a provider with a bad identifier, but not who names it': [
    file(
      `providers:\n  - {name: x, providerId: ¦abc}\nrules:\n  - {when: {provider: x}, then: {fault: reset}}`,
    ),
    "providerId is 'abc'; it takes",
  ],
  'an unknown pace': [file(`batches: {pace: ¦imediate}`), "Did you mean 'immediate'?"],
};

describe('broken scenario files', () => {
  test.each(Object.entries(BROKEN))('%s is shown where it stands', (_, [marked, message]) =>
    expectShown(marked, message),
  );

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
