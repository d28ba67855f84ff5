import { describe, expect, test } from 'vitest';

import { PLAIN_FAULTS } from '../../../src/scenarios/file/fault.js';
import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { ALL_FEATURES } from '../../../src/records/provider.js';
import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { OPERATIONS } from '../../../src/scenarios/script/operations.js';
import { type BrokenFile, brokenFiles, expectShown } from '../support.js';

const file = (text: string): string => `name: a\n${text}\n`;
const rule = (text: string): string => file(`rules:\n  - ${text}`);
const when = (text: string): string => rule(`when: {${text}}\n    then: {outcome: approve}`);
const then = (text: string): string => rule(`when: {nth: 1}\n    then: {${text}}`);
/** A rule for operations, such as `charge.read with outcome: lost_card`. */
const on = (text: string): string => {
  const [operation, effect] = text.split(' with ');
  return rule(`when: {operation: ${operation}}\n    then: {${effect}}`);
};
const webhooks = (text: string): string => file(`webhooks: {${text}}`);
const policy = (text: string): string => webhooks(`policies: [{${text}}]`);
const providers = (...all: string[]): string =>
  file(`providers:${all.map((one) => `\n  - {${one}}`).join('')}`);
const [ONES, TWOS] = [`providerId: '${'1'.repeat(32)}'`, `providerId: '${'2'.repeat(32)}'`];
const provider = (text: string): string => providers(`name: x, ${ONES}, ${text}`);
/** A place in an identifier that is written in groups. */
const grouped = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const BROKEN: readonly BrokenFile[] = [
  ...brokenFiles(String)`
    ¦ → the file is empty; a scenario needs at least a name
    ¦# soon\n → the file is empty
    ¦- name: a\n → the scenario must be an object with the fields name, description, seed, clock, startTime, dialect, keys,
    {"name": "a", "rules": ¦[\n → YAML: the [ opened here is never closed
    name: ¦"a\nrules: []\n → YAML: the " opened here is never closed
    {"name": "a",\n "seed": 1, ¦"seed": 2} → duplicate field; each name may appear only once
    name: ¦*that\n → unknown alias
    name: ¦!secret x\n → YAML: Unresolved tag: !secret
    ¦seed: 1\n → name is required: a string of 1 to 100 characters
    name: ¦12\n → name must be a string of 1 to 100 characters, not 12; put it in quotes
    ¦nmae: a\n → Did you mean name?
  `,
  ...brokenFiles(file)`
    keys: ¦[x\nrules: [] → YAML: the [ opened here is never closed
    rules:\n  - when: ¦{nth: 1\n    then: {fault: reset} → YAML: the { opened here is never closed
    rules:\n  - ¦{when: {nth: 1}, then: {fault: reset} → YAML: the { opened here is never closed
    rules:\n  - when: {nth: ¦[1, 2}\n    then: {fault: reset} → YAML: the [ opened here is never closed
    rules:\n  - {name: ¦'x, then: {fault: reset}} → YAML: the ' opened here is never closed
    batches: {}¦} → YAML: Unexpected flow-map-end token
    rules:\n¦\t- then: {fault: reset} → YAML cannot be indented with tabs
    seed: 1\n¦name: b → duplicate field
    ¦---\nname: b → a second document begins here
    ¦ruls: [] → "ruls" is not a field of a scenario. Fields: name, description, seed, clock, startTime, dialect, keys,
    ¦rules: → rules is empty; it must be a list of rules
    rules: ¦{then: {fault: reset}} → rules must be a list of rules, not an object
    clock: ¦manuell → clock must be real, manual or a rate such as x60 (x0.001 to x1000000), not "manuell". Did you mean manual?
    clock: ¦x9000000 → clock must be real, manual or a rate such as x60 (x0.001 to x1000000), not "x9000000"
    startTime: ¦2026-02-30T00:00:00Z → startTime must be a date-time such as 2026-01-01T00:00:00Z, not "2026-02-30T00:00:00Z"
    dialect: ¦skd → dialect must be auto, documented or sdk, not "skd". Did you mean sdk?
    keys: [sk_test_a, ¦sk_test b] → keys[1] must be a secret key such as sk_test_local
    rules:\n  - {name: x, then: {fault: reset}}\n  - {name: ¦x, then: {fault: hang}} → name is already used by rule 1; choose another one
    timeline: [{at: ¦1h, do: {providerUp: slow}}] → at must be a time since the start of the scenario such as +30s, +15m or +1h, not "1h"
    timeline:\n  - at: +1h\n    do: ¦{} → do must have one of providerDown, providerUp and setState
    batches:\n  failAt: ¦60 → failAt must be a number from 0 to 1, not 60
    batches:\n  failAt: 0.5\n  stuckAt: ¦0.6 → stuckAt cannot be combined with failAt
    providers: ¦{primary: {}} → providers must be a list of providers, not an object
    providers:\n  - ¦name: x → providerId is required: a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead
    providers:\n  - {name: x, providerId: ¦${'1'.repeat(32)}} → ; put it in quotes
    providers:\n  - {name: ¦slow, ${ONES}} → name must be a name that no built-in provider has, not "slow"
    providers:\n  - {name: ¦'prim*', ${ONES}} → name must be 1 to 64 ASCII characters without * and ?, not "prim*"
    providers:\n  - {name: x, providerId: ¦abc}\nrules:\n  - {when: {provider: x}, then: {fault: reset}} → providerId must be a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead, not "abc"
    providers:\n  - {name: primary, ${ONES}}\nrules:\n  - {when: {provider: ¦primry}, then: {fault: reset}} → provider must be a ProviderId (32 hexadecimal digits, or a pattern with * and ?) or one of steady, amounts,
    providers:\n  - {name: x, ${ONES}}\ntimeline:\n  - {at: +1h, do: {providerDown: ¦y}} → providerDown must be a ProviderId (32 hexadecimal digits) or one of steady, amounts, slow, flaky, down,
    batches: {pace: ¦imediate} → Did you mean immediate?
  `,
  ...brokenFiles(rule)`
    ¦whne: {}\n    then: {fault: reset} → "whne" is not a field of rules[0]. Fields: name, when, then, times. Did you mean when?
    ¦when: {nth: 1} → then is required: an effect such as {outcome: insufficient_funds}
    then: ¦{} → then has no effect; add one of outcome, fault, respond, nothing, delay, advance or state
    then: ¦reset → then must be an object with the fields outcome, fault, respond, nothing, delay, phase, advance, state, not "reset"
    then: {fault: reset}\n    times: ¦0 → times must be a whole number from 1 to 1000000000, not 0
  `,
  ...brokenFiles(when)`
    operation: ¦charge.creat → operation "charge.creat" is unknown. Did you mean charge.create? Operations of charge: charge.create,
    operation: [charge.void, ¦chrage.read] → operation[1] "chrage.read" is unknown. Did you mean charge.read? Operations of charge: charge.create,
    operation: ¦vault.reencrypt → operation "vault.reencrypt" is unknown. Operations of vault: vault.create, vault.read, vault.delete
    operation: ¦refund.* → operation "refund.*" is unknown. Did you mean charge.refund?
    provider: ¦00000000000000000000000000000001 → provider must be a ProviderId (32 hexadecimal digits, or a pattern with * and ?) or one of steady, amounts,
    provider: ¦stedy → Did you mean steady?
    card: ¦visa → card must be a card number, a pattern such as "4111*" or a range such as 222100-272099, not "visa"
    card: ¦4111-42222 → must be a range of two numbers with the same number of digits
    card: ¦4200-4111 → must be a range that begins with the smaller number
    card: ¦4111*-4112* → or a range such as 222100-272099
    card: ¦4111- → or a range such as 222100-272099
    card: ¦4111-4112-4113 → or a range such as 222100-272099
    each: ¦customer → each has no effect without a count; add nth, every or after
    nth: 1, each: ¦card → each must be customer or reference, not "card"
    amount: {¦gtt: 5} → "gtt" is not a field of amount. Fields: gt, gte, lt, lte. Did you mean gt?
    amount: ¦20 AUD → amount must be an amount in major units such as 100 or 99.95, a list of amounts, or an object with gt, gte, lt or lte, not "20 AUD"
    amount: {gt: ¦lots} → gt must be an amount in major units such as 100 or 99.95, not "lots"
    amount: ¦{} → amount must have at least one of gt, gte, lt, lte
    currency: [AUD, ¦36] → currency[1] must be a string, not 36; put it in quotes
    reference: ¦[] → reference must not be an empty list
    reference: ¦${'x'.repeat(129)} → reference must be a pattern of 1 to 128 characters, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    header: {¦user agent: x} → "user agent" is not a header name
    nth: ¦0 → nth must be a whole number from 1 to 1000000000, not 0
    nth: ¦{first: 1} → nth must be one value or a list of values, not an object
    nth: ¦first → nth must be a whole number from 1 to 1000000000, not "first"
    every: ¦1.5 → every must be a whole number from 1 to 1000000000, not 1.5
    state: {x: ¦[1]} → x must be a string of at most 256 characters, a number, true, false or null, not a list
  `,
  ...brokenFiles(then)`
    outcome: do_not_honor, phase: ¦after → phase has no effect: after is for faults, delays and the outcome gateway_timeout. Leave it out
    nothing: true, phase: ¦after → phase has no effect: after is for faults
    state: {a: b}, phase: ¦after → phase has no effect: after is for faults
    advance: 20m, phase: ¦after → phase has no effect: after is for faults
    advance: ¦0s → advance must be longer than 0, not
    delay: ¦[1s] → delay must be a duration such as 250ms, {min, max} or {median, sigma}, not a list
    outcome: ¦insuficient_funds → Did you mean insufficient_funds?
    fault: ¦rest → fault must be ${PLAIN_FAULTS.join(', ')} or status=503, or {quota, window}, not "rest". Did you mean reset?
    fault: ¦status → or status=503, or {quota, window}, not "status". Did you mean status=503?
    fault: ¦404 → not 404. Did you mean status=404?
    fault: ¦insufficient_funds → not "insufficient_funds". It is an outcome
    fault: {quota: 1, window: 1s, ¦status: 503} → "status" is not a field of fault. Fields: quota, window; a status is written as one word, such as status=503
    fault: ¦status=600 → not "status=600"
    outcome: ¦reset → not "reset". It is a fault: in a rule, write fault: reset
    outcome: ¦funds → not "funds". Did you mean insufficient_funds?
    fault: ¦{quota: 3} → window is required: a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H
    fault: {¦quotta: 3, window: 1s} → Did you mean quota?
    fault: {quota: 3, window: ¦0s} → window must be longer than 0, not "0s"
    respond: {status: ¦99} → status must be a whole number from 200 to 599, not 99
    outcome: approve, fault: ¦reset → fault cannot be combined with outcome; a rule has only one of them
    respond: {status: 204, body: ¦{ok: true}} → body must be left out, because an answer with status 204 has no body
    respond: {status: 304, body: ¦x} → body must be left out, because an answer with status 304 has no body
    delay: ¦250 → delay must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H, not 250
    delay: ¦1h → delay must be at most 60s, not "1h"
    delay: ¦{median: 1s} → delay must have either min and max, or median and sigma
    delay: {min: ¦2s, max: 1s} → min must not be longer than max
    fault: reset, phase: ¦aftr → phase must be before or after, not "aftr". Did you mean after?
    state: {¦is open: 1} → "is open" is not a valid name of a state; use at most 64 letters, digits, _, - and .
  `,
  ...brokenFiles(policy)`
    when: {each: ¦reference}, then: {drop: true} → each has no effect without a count
    then: {badSignature: ¦twice} → badSignature must be true or once, not "twice"
    when: {event: ¦batch.changed}, then: {drop: true} → event must be one of transaction.status.changed, batch.status.changed, subscription.status.changed,
    when: {¦operation: charge.create}, then: {drop: true} → "operation" is not a field of when. Fields: event, url, status, reference, state, from, until, nth, every, after
    then: ¦{} → then has no effect; add one of first, duplicate, delay, swap, drop, badSignature, forged or staleTimestamp
    then: {swap: true, drop: ¦true} → drop cannot be combined with swap; a policy with swap has no other effect
    then: {drop: true, badSignature: ¦true} → badSignature cannot be combined with drop; a policy with drop has no other effect
    then: {forged: true, badSignature: ¦once} → badSignature cannot be combined with forged: a forged webhook always has a wrong signature
    then: {swap: true, forged: ¦true} → forged cannot be combined with swap; a policy with swap has no other effect
    then: {first: true, delay: ¦10m} → delay cannot be combined with first: a webhook that goes before the answer is not late
    then: {duplicate: ¦11} → duplicate must be a whole number from 1 to 10, not 11
  `,
  ...brokenFiles(webhooks)`
    secret: ¦7 → secret must be a string of 1 to 1024 characters
    secret: ¦${'x'.repeat(1025)} → secret must be a string of 1 to 1024 characters
    policies: ¦{then: {drop: true}} → policies must be a list of {when, then}, not an object
  `,
  ...brokenFiles(on)`
    charge.read with outcome: ¦lost_card → outcome "lost_card" has no effect: charge.read does not ask a provider. Use a fault or a delay,
    [vault.*, batch.create] with state: {a: 1}, outcome: ¦approve → outcome "approve" has no effect: vault.create, vault.read, vault.delete, batch.create do not ask a provider.
    charge.refund with outcome: ¦unable_to_capture → outcome "unable_to_capture" has no effect: it is an outcome of charge.capture only. For charge.refund, use unable_to_refund, insufficient_funds or another decline
    [charge.create, charge.read] with outcome: ¦unable_to_refund → outcome "unable_to_refund" has no effect: it is an outcome of charge.refund only. For charge.create, use insufficient_funds or another decline
    batch.row with fault: ¦reset → fault "reset" has no effect: batch.row has no connection. Use an outcome
    batch.row with fault: ¦{quota: 1, window: 1s} → fault has no effect: batch.row has no connection. Use an outcome
    batch.row with respond: ¦{status: 503} → respond has no effect: batch.row has no connection. Use an outcome
    [batch.row] with outcome: lost_card, delay: ¦1s → delay has no effect: batch.row has no connection. Use an outcome
    batch.row with outcome: gateway_timeout, phase: ¦after → phase has no effect: batch.row has no connection, so nobody waits for its answer. Leave it out
    [batch.row, charge.settle] with outcome: gateway_timeout, phase: ¦after → phase has no effect: batch.row, charge.settle have no connection, so nobody waits for its answer
  `,
  ...brokenFiles(provider)`
    ¦curency: NZD → "curency" is not a field of providers[0]. Fields: name, providerId, type, currency, country, latency,
    currency: ¦NZ → currency must be an ISO 4217 code such as AUD, not "NZ"
    country: ¦Australia → country must be a country code such as AUS, not "Australia"
    latency: ¦250 → latency must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H, not 250
    latency: ¦1h → latency must be at most 60s, not "1h"
    latency: {min: ¦2s, max: 1s} → min must not be longer than max
    outcomes: ¦[approve] → outcomes must be an object of outcomes and their shares such as {approve: 9, insufficient_funds: 1}, not a list
    outcomes: {approve: 9, ¦insuficient_funds: 1} → "insuficient_funds" is not an outcome. Did you mean insufficient_funds?
    outcomes: {approve: ¦-1} → approve must be a number from 0 to 1000000, not -1
    outcomes: ¦{approve: 0} → outcomes must have an outcome with a share greater than 0
    outcomes: {approve: 9, unable_to_capture: ¦1} → unable_to_capture has no effect: it is an outcome of charge.capture only
    fails: {every: 3, outcome: ¦unable_to_refund} → outcome "unable_to_refund" has no effect: it is an outcome of charge.refund only
    fails: {every: ¦0} → every must be a whole number from 1 to 1000000000, not 0
    fails: ¦{outcome: lost_card} → every is required: a whole number from 1 to 1000000000
    fails: ¦3 → fails must be an object with the fields every, outcome, not 3
    features: {¦autorise: false} → Did you mean authorise?
    features: {authorise: ¦'no'} → authorise must be true or false, not "no"
    costs: ¦{scheme: VISA} → costs must have fixed or percentage
    fallback: ¦stedy → Did you mean steady?
  `,
  ...brokenFiles(providers)`
    name: x, providerId: ¦0000000000000000000000000000dead → providerId must be a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead, not "0000000000000000000000000000dead"
  `,
  [
    'name is already used by provider 1; choose another one',
    providers(`name: x, ${ONES}`, `name: ¦x, ${TWOS}`),
  ],
  [
    'providerId is already used by provider 1; choose another one',
    providers(`name: x, ${ONES}`, `name: y, providerId: ¦${grouped('1'.repeat(32))}`),
  ],
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
      `[&x0 [1]${Array.from({ length: 9 }, (_, n) => `, &x${n + 1} [${Array(9).fill(`*x${n}`).join(',')}]`).join('')}]`,
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
routing: {mode: success, weight: 0.7}
batches: {pace: immediate, failAt: 0.6}
webhooks:
  secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  policies:
    - {name: twice, when: {event: 'batch.*', status: SUCCESS, nth: 2}, then: {duplicate: 3}, times: 1}
    - then: {delay: 5m, badSignature: true, staleTimestamp: 1h}
`;

describe('whole scenario files', () => {
  test('every field is read into plain data', async () => {
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
            operation: OPERATIONS.filter((one) => one.startsWith('charge.')),
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
      routing: { mode: 'success', weight: 0.7 },
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
