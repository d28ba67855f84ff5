import { describe, expect, test } from 'vitest';

import { PLAIN_FAULTS } from '../../../src/scenarios/file/fault.js';
import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { ALL_FEATURES } from '../../../src/records/provider.js';
import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { OPERATIONS } from '../../../src/scenarios/script/operations.js';
import { expectShown } from '../support.js';

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
  ['the file is empty; a scenario needs at least a name', '¦'],
  ['the file is empty', `¦# soon\n`],
  [
    'the scenario must be an object with the fields name, description, seed, clock, startTime, dialect, keys,',
    `¦- name: a\n`,
  ],
  ['YAML: [ is not closed; add ] after what it begins', file(`keys: ¦[x\nrules: []`)],
  ['YAML: { is not closed; add }', file(`rules:\n  - when: ¦{nth: 1\n    then: {fault: reset}`)],
  ['YAML: { is not closed; add }', file(`rules:\n  - ¦{when: {nth: 1}, then: {fault: reset}`)],
  ['YAML: [ is not closed; add ]', file(`rules:\n  - when: {nth: ¦[1, 2}\n    then: {fault: reset}`)],
  ['YAML: [ is not closed; add ]', `{"name": "a", "rules": ¦[\n`],
  ["YAML: ' is not closed; add '", file(`rules:\n  - {name: ¦'x, then: {fault: reset}}`)],
  ['YAML: " is not closed; add "', `name: ¦"a\nrules: []\n`],
  ['YAML: Unexpected flow-map-end token', file(`batches: {}¦}`)],
  ['YAML cannot be indented with tabs', file(`rules:\n¦\t- then: {fault: reset}`)],
  ['duplicate field', file(`seed: 1\n¦name: b`)],
  ['duplicate field; each name may appear only once', `{"name": "a",\n "seed": 1, ¦"seed": 2}`],
  ['a second document begins here', file(`¦---\nname: b`)],
  ['unknown alias', `name: ¦*that\n`],
  ['YAML: Unresolved tag: !secret', `name: ¦!secret x\n`],
  ['name is required: a string of 1 to 100 characters', `¦seed: 1\n`],
  ['name must be a string of 1 to 100 characters, not 12; put it in quotes', `name: ¦12\n`],
  [
    '"ruls" is not a field of a scenario. Fields: name, description, seed, clock, startTime, dialect, keys,',
    file(`¦ruls: []`),
  ],
  ['Did you mean name?', `¦nmae: a\n`],
  ['rules is empty; it must be a list of rules', file(`¦rules:`)],
  ['rules must be a list of rules, not an object', file(`rules: ¦{then: {fault: reset}}`)],
  [
    'clock must be real, manual or a rate such as x60 (x0.001 to x1000000), not "manuell". Did you mean manual?',
    file(`clock: ¦manuell`),
  ],
  [
    'clock must be real, manual or a rate such as x60 (x0.001 to x1000000), not "x9000000"',
    file(`clock: ¦x9000000`),
  ],
  [
    'startTime must be a date-time such as 2026-01-01T00:00:00Z, not "2026-02-30T00:00:00Z"',
    file(`startTime: ¦2026-02-30T00:00:00Z`),
  ],
  ['dialect must be documented or sdk, not "skd". Did you mean sdk?', file(`dialect: ¦skd`)],
  ['keys[1] must be a secret key such as sk_test_local', file(`keys: [sk_test_a, ¦sk_test b]`)],
  [
    '"whne" is not a field of rules[0]. Fields: name, when, then, times. Did you mean when?',
    rule(`¦whne: {}\n    then: {fault: reset}`),
  ],
  ['then is required: an effect such as {outcome: insufficient_funds}', rule(`¦when: {nth: 1}`)],
  [
    'then has no effect; add one of outcome, fault, respond, nothing, delay, advance or state',
    rule(`then: ¦{}`),
  ],
  [
    'then must be an object with the fields outcome, fault, respond, nothing, delay, phase, advance, state, not "reset"',
    rule(`then: ¦reset`),
  ],
  [
    'name is already used by rule 1; choose another one',
    file(`rules:\n  - {name: x, then: {fault: reset}}\n  - {name: ¦x, then: {fault: hang}}`),
  ],
  ['times must be a whole number from 1 to 1000000000, not 0', rule(`then: {fault: reset}\n    times: ¦0`)],
  [
    'operation "charge.creat" is unknown. Did you mean charge.create? Operations of charge: charge.create,',
    when(`operation: ¦charge.creat`),
  ],
  [
    'operation[1] "chrage.read" is unknown. Did you mean charge.read? Operations of charge: charge.create,',
    when(`operation: [charge.void, ¦chrage.read]`),
  ],
  [
    'operation "vault.reencrypt" is unknown. Operations of vault: vault.create, vault.read, vault.delete',
    when(`operation: ¦vault.reencrypt`),
  ],
  [
    'operation "refund.*" is unknown. Operations: charge.create, charge.capture, charge.void, charge.refund,',
    when(`operation: ¦refund.*`),
  ],
  [
    'provider must be a ProviderId (32 hexadecimal digits, or a pattern with * and ?) or one of steady, amounts,',
    when(`provider: ¦00000000000000000000000000000001`),
  ],
  ['Did you mean steady?', when(`provider: ¦stedy`)],
  [
    'card must be a card number, a pattern such as "4111*" or a range such as 222100-272099, not "visa"',
    when(`card: ¦visa`),
  ],
  ['must be a range of two numbers with as many digits each', when(`card: ¦4111-42222`)],
  ['must be a range that begins with the smaller number', when(`card: ¦4200-4111`)],
  ['or a range such as 222100-272099', when(`card: ¦4111*-4112*`)],
  ['or a range such as 222100-272099', when(`card: ¦4111-`)],
  ['or a range such as 222100-272099', when(`card: ¦4111-4112-4113`)],
  [
    'phase has no effect: after is for faults, delays and the outcome gateway_timeout. Leave it out',
    then(`outcome: do_not_honor, phase: ¦after`),
  ],
  ['phase has no effect: after is for faults', then(`nothing: true, phase: ¦after`)],
  ['each has no effect without a count; add nth, every or after', when(`each: ¦customer`)],
  ['each has no effect without a count', policy(`when: {each: ¦reference}, then: {drop: true}`)],
  ['each must be customer or reference, not "card"', when(`nth: 1, each: ¦card`)],
  ['phase has no effect: after is for faults', then(`state: {a: b}, phase: ¦after`)],
  ['phase has no effect: after is for faults', then(`advance: 20m, phase: ¦after`)],
  ['advance must be longer than 0, not', then(`advance: ¦0s`)],
  ['badSignature must be true or once, not "twice"', policy(`then: {badSignature: ¦twice}`)],
  ['"gtt" is not a field of amount. Fields: gt, gte, lt, lte. Did you mean gt?', when(`amount: {¦gtt: 5}`)],
  [
    'amount must be an amount in major units such as 100 or 99.95, a list of amounts, or an object with gt, gte, lt or lte, not "20 AUD"',
    when(`amount: ¦20 AUD`),
  ],
  ['gt must be an amount in major units such as 100 or 99.95, not "lots"', when(`amount: {gt: ¦lots}`)],
  ['amount must have at least one of gt, gte, lt, lte', when(`amount: ¦{}`)],
  ['currency[1] must be a string, not 36; put it in quotes', when(`currency: [AUD, ¦36]`)],
  ['reference must not be an empty list', when(`reference: ¦[]`)],
  [
    'reference must be a pattern of 1 to 128 characters, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"',
    when(`reference: ¦${'x'.repeat(129)}`),
  ],
  ['secret must be a string of 1 to 1024 characters', webhooks(`secret: ¦7`)],
  ['secret must be a string of 1 to 1024 characters', webhooks(`secret: ¦${'x'.repeat(1025)}`)],
  [
    'event must be one of transaction.status.changed, batch.status.changed, subscription.status.changed,',
    policy(`when: {event: ¦batch.changed}, then: {drop: true}`),
  ],
  [
    '"operation" is not a field of when. Fields: event, url, status, reference, state, from, until, nth, every, after',
    policy(`when: {¦operation: charge.create}, then: {drop: true}`),
  ],
  [
    'then has no effect; add one of first, duplicate, delay, swap, drop, badSignature, forged or staleTimestamp',
    policy(`then: ¦{}`),
  ],
  [
    'drop cannot be combined with swap; a policy with swap has no other effect',
    policy(`then: {swap: true, drop: ¦true}`),
  ],
  [
    'badSignature cannot be combined with drop; a policy with drop has no other effect',
    policy(`then: {drop: true, badSignature: ¦true}`),
  ],
  [
    'badSignature cannot be combined with forged: a forged webhook always has a wrong signature',
    policy(`then: {forged: true, badSignature: ¦once}`),
  ],
  [
    'forged cannot be combined with swap; a policy with swap has no other effect',
    policy(`then: {swap: true, forged: ¦true}`),
  ],
  [
    'delay cannot be combined with first: a webhook that goes before the answer is not late',
    policy(`then: {first: true, delay: ¦10m}`),
  ],
  ['duplicate must be a whole number from 1 to 10, not 11', policy(`then: {duplicate: ¦11}`)],
  ['policies must be a list of {when, then}, not an object', webhooks(`policies: ¦{then: {drop: true}}`)],
  ['"user agent" is not a header name', when(`header: {¦user agent: x}`)],
  ['nth must be a whole number from 1 to 1000000000, not 0', when(`nth: ¦0`)],
  ['nth must be one value or a list of values, not an object', when(`nth: ¦{first: 1}`)],
  ['nth must be a whole number from 1 to 1000000000, not "first"', when(`nth: ¦first`)],
  ['delay must be a duration such as 250ms, {min, max} or {median, sigma}, not a list', then(`delay: ¦[1s]`)],
  ['every must be a whole number from 1 to 1000000000, not 1.5', when(`every: ¦1.5`)],
  [
    'x must be a string of at most 256 characters, a number, true, false or null, not a list',
    when(`state: {x: ¦[1]}`),
  ],
  ['Did you mean insufficient_funds?', then(`outcome: ¦insuficient_funds`)],
  [
    `fault must be ${PLAIN_FAULTS.join(', ')} or status=503, or {quota, window}, not "rest". Did you mean reset?`,
    then(`fault: ¦rest`),
  ],
  ['or status=503, or {quota, window}, not "status". Did you mean status=503?', then(`fault: ¦status`)],
  ['not 404. Did you mean status=404?', then(`fault: ¦404`)],
  ['not "insufficient_funds". It is an outcome', then(`fault: ¦insufficient_funds`)],
  [
    '"status" is not a field of fault. Fields: quota, window; a status is written as one word, such as status=503',
    then(`fault: {quota: 1, window: 1s, ¦status: 503}`),
  ],
  ['not "status=600"', then(`fault: ¦status=600`)],
  ['not "reset". It is a fault: in a rule, write fault: reset', then(`outcome: ¦reset`)],
  ['not "funds". Did you mean insufficient_funds?', then(`outcome: ¦funds`)],
  ['window is required: a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H', then(`fault: ¦{quota: 3}`)],
  ['Did you mean quota?', then(`fault: {¦quotta: 3, window: 1s}`)],
  ['window must be longer than 0, not "0s"', then(`fault: {quota: 3, window: ¦0s}`)],
  ['status must be a whole number from 200 to 599, not 99', then(`respond: {status: ¦99}`)],
  [
    'fault cannot be combined with outcome; a rule has only one of them',
    then(`outcome: approve, fault: ¦reset`),
  ],
  [
    'outcome "lost_card" has no effect: charge.read does not ask a provider. Use a fault or a delay,',
    on('charge.read', `outcome: ¦lost_card`),
  ],
  [
    'outcome "approve" has no effect: vault.create, vault.read, vault.delete, batch.create do not ask a provider.',
    on('[vault.*, batch.create]', `state: {a: 1}, outcome: ¦approve`),
  ],
  [
    'outcome "unable_to_capture" has no effect: it is an outcome of charge.capture only. For charge.refund, use unable_to_refund, insufficient_funds or another decline',
    on('charge.refund', `outcome: ¦unable_to_capture`),
  ],
  [
    'outcome "unable_to_refund" has no effect: it is an outcome of charge.refund only. For charge.create, use insufficient_funds or another decline',
    on('[charge.create, charge.read]', `outcome: ¦unable_to_refund`),
  ],
  [
    'fault "reset" has no effect: batch.row has no connection. Use an outcome',
    on('batch.row', `fault: ¦reset`),
  ],
  [
    'fault has no effect: batch.row has no connection. Use an outcome',
    on('batch.row', `fault: ¦{quota: 1, window: 1s}`),
  ],
  [
    'respond has no effect: batch.row has no connection. Use an outcome',
    on('batch.row', `respond: ¦{status: 503}`),
  ],
  [
    'delay has no effect: batch.row has no connection. Use an outcome',
    on('[batch.row]', `outcome: lost_card, delay: ¦1s`),
  ],
  [
    'phase has no effect: batch.row has no connection, so nobody waits for its answer. Leave it out',
    on('batch.row', `outcome: gateway_timeout, phase: ¦after`),
  ],
  [
    'phase has no effect: batch.row, charge.settle have no connection, so nobody waits for its answer',
    on('[batch.row, charge.settle]', `outcome: gateway_timeout, phase: ¦after`),
  ],
  [
    'body must be left out, because an answer with status 204 has no body',
    then(`respond: {status: 204, body: ¦{ok: true}}`),
  ],
  [
    'body must be left out, because an answer with status 304 has no body',
    then(`respond: {status: 304, body: ¦x}`),
  ],
  ['delay must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H, not 250', then(`delay: ¦250`)],
  ['delay must be at most 60s, not "1h"', then(`delay: ¦1h`)],
  ['delay must have either min and max, or median and sigma', then(`delay: ¦{median: 1s}`)],
  ['min must not be longer than max', then(`delay: {min: ¦2s, max: 1s}`)],
  ['phase must be before or after, not "aftr". Did you mean after?', then(`fault: reset, phase: ¦aftr`)],
  [
    '"is open" is not a valid name of a state; use at most 64 letters, digits, _, - and .',
    then(`state: {¦is open: 1}`),
  ],
  [
    'at must be a time since the start of the scenario such as +30s, +15m or +1h, not "1h"',
    file(`timeline: [{at: ¦1h, do: {providerUp: slow}}]`),
  ],
  ['do must have one of providerDown, providerUp and setState', file(`timeline:\n  - at: +1h\n    do: ¦{}`)],
  ['failAt must be a number from 0 to 1, not 60', file(`batches:\n  failAt: ¦60`)],
  ['stuckAt cannot be combined with failAt', file(`batches:\n  failAt: 0.5\n  stuckAt: ¦0.6`)],
  ['providers must be a list of providers, not an object', file(`providers: ¦{primary: {}}`)],
  [
    '"curency" is not a field of providers[0]. Fields: name, providerId, type, currency, country, latency,',
    provider(`¦curency: NZD`),
  ],
  [
    'providerId is required: a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead',
    file(`providers:\n  - ¦name: x`),
  ],
  ['; put it in quotes', file(`providers:\n  - {name: x, providerId: ¦${'1'.repeat(32)}}`)],
  [
    'providerId must be a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead, not "0000000000000000000000000000dead"',
    providers(`name: x, providerId: ¦0000000000000000000000000000dead`),
  ],
  [
    'name must be a name that no built-in provider has, not "slow"',
    file(`providers:\n  - {name: ¦slow, ${ONES}}`),
  ],
  [
    'name must be 1 to 64 ASCII characters without * and ?, not "prim*"',
    file(`providers:\n  - {name: ¦'prim*', ${ONES}}`),
  ],
  [
    'name is already used by provider 1; choose another one',
    providers(`name: x, ${ONES}`, `name: ¦x, ${TWOS}`),
  ],
  [
    'providerId is already used by provider 1; choose another one',
    providers(`name: x, ${ONES}`, `name: y, providerId: ¦${grouped('1'.repeat(32))}`),
  ],
  ['currency must be an ISO 4217 code such as AUD, not "NZ"', provider(`currency: ¦NZ`)],
  ['country must be a country code such as AUS, not "Australia"', provider(`country: ¦Australia`)],
  ['latency must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H, not 250', provider(`latency: ¦250`)],
  ['latency must be at most 60s, not "1h"', provider(`latency: ¦1h`)],
  ['min must not be longer than max', provider(`latency: {min: ¦2s, max: 1s}`)],
  [
    'outcomes must be an object of outcomes and their shares such as {approve: 9, insufficient_funds: 1}, not a list',
    provider(`outcomes: ¦[approve]`),
  ],
  [
    '"insuficient_funds" is not an outcome. Did you mean insufficient_funds?',
    provider(`outcomes: {approve: 9, ¦insuficient_funds: 1}`),
  ],
  ['approve must be a number from 0 to 1000000, not -1', provider(`outcomes: {approve: ¦-1}`)],
  ['outcomes must have an outcome with a share greater than 0', provider(`outcomes: ¦{approve: 0}`)],
  [
    'unable_to_capture has no effect: it is an outcome of charge.capture only',
    provider(`outcomes: {approve: 9, unable_to_capture: ¦1}`),
  ],
  [
    'outcome "unable_to_refund" has no effect: it is an outcome of charge.refund only',
    provider(`fails: {every: 3, outcome: ¦unable_to_refund}`),
  ],
  ['every must be a whole number from 1 to 1000000000, not 0', provider(`fails: {every: ¦0}`)],
  ['every is required: a whole number from 1 to 1000000000', provider(`fails: ¦{outcome: lost_card}`)],
  ['fails must be an object with the fields every, outcome, not 3', provider(`fails: ¦3`)],
  ['Did you mean authorise?', provider(`features: {¦autorise: false}`)],
  ['authorise must be true or false, not "no"', provider(`features: {authorise: ¦'no'}`)],
  ['costs must have fixed or percentage', provider(`costs: ¦{scheme: VISA}`)],
  ['Did you mean steady?', provider(`fallback: ¦stedy`)],
  [
    'provider must be a ProviderId (32 hexadecimal digits, or a pattern with * and ?) or one of steady, amounts,',
    `${provider('currency: NZD').replace('name: x', 'name: primary')}rules:\n  - {when: {provider: ¦primry}, then: {fault: reset}}\n`,
  ],
  [
    'providerDown must be a ProviderId (32 hexadecimal digits) or one of steady, amounts, slow, flaky, down,',
    `${provider('currency: NZD')}timeline:\n  - {at: +1h, do: {providerDown: ¦y}}\n`,
  ],
  [
    'providerId must be a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead, not "abc"',
    file(
      `providers:\n  - {name: x, providerId: ¦abc}\nrules:\n  - {when: {provider: x}, then: {fault: reset}}`,
    ),
  ],
  ['Did you mean immediate?', file(`batches: {pace: ¦imediate}`)],
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
