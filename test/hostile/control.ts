import {
  ADMIN,
  ask,
  AUTHORISED,
  bad,
  CAPTURED,
  charging,
  get,
  GUARDED,
  KEY,
  post,
  PROVIDER,
  put,
  refused,
  type Row,
  row,
  taken,
  times,
} from './row.js';

const advance = (body: unknown): string => post('/_sandbox/clock/advance', body);
const clock = (body: unknown): string => put('/_sandbox/clock', body);
const scenario = (Definition: unknown): string => put('/_sandbox/scenario', { Definition });
const rule = (then: object, when: object = {}, more: object = {}): string =>
  scenario({ name: 'a', rules: [{ when, then, ...more }] });
const state = (document: unknown): string => put('/_sandbox/state', document);
const simulate = (body: object, ...headers: string[]): string => post('/_sandbox/simulate', body, ...headers);
const reset = (body: object): string => post('/_sandbox/reset', body);
const queue = (body: object): string =>
  post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: ['approve'], ...body });
const LAST = advance({ To: '9999-12-31T23:59:59.999Z' });
/** What is asked at the last instant that the clock knows. */
const AT_END = { after: [LAST] };
const VISA = '4111111111111111';
const BANK = post('/charge/bank_account', {
  Amount: 5,
  ProviderId: PROVIDER,
  BankPaymentInformation: { BankCode: '062-000', AccountNumber: '000123456', AccountName: 'Jo Smith' },
  Webhook: { Url: 'http://127.0.0.1:1/' },
});
const OUTCOME = 'x-sandbox-outcome';
const FAULT = 'x-sandbox-fault';
const DIALECT = 'x-sandbox-dialect';
const outcome = (value: string): string => charging({}, `${OUTCOME}: ${value}`);
const fault = (value: string): string => charging({}, `${FAULT}: ${value}`);
const dialect = (value: string): string => charging({}, `${DIALECT}: ${value}`);

const noScenario = refused(404, 90, 'There is no scenario');

/** What a tester's hands must not do to the sandbox. */
export const CONTROL: readonly Row[] = [
  row('an advance by nothing said', advance({}), bad('exactly one of By and To')),
  row(
    'an advance by and to',
    advance({ By: '1h', To: '2030-01-01T00:00:00Z' }),
    bad('exactly one of By and To'),
  ),
  row('an advance backwards', advance({ By: '-1h' }), bad('By is "-1h"', 'a duration such as')),
  row('an advance to yesterday', advance({ To: '2025-12-31T00:00:00Z' }), bad('only goes forward')),
  row('an advance without unit', advance({ By: 3600 }), bad('By is a number', 'a duration such as')),
  row('an advance of 400 digits', advance({ By: `${'9'.repeat(400)}d` }), bad('a duration such as')),
  row(
    'an advance beyond all whole numbers',
    advance({ By: '9007199254740993ms' }),
    bad('a duration such as'),
  ),
  row('an advance in exponents', advance({ By: '1e9s' }), bad('a duration such as')),
  row('an advance by a month', advance({ By: 'P1M' }), bad('a duration such as')),
  row('an advance by a duration in full-width digits', advance({ By: '１h' }), bad('a duration such as')),
  row('an advance to the year 10000', advance({ To: '10000-01-01T00:00:00Z' }), bad('To')),
  row(
    'an advance over the last instant',
    advance({ By: '1ms' }),
    bad('The clock ends at 9999-12-31T23:59:59.999Z.'),
    AT_END,
  ),
  row('an unknown member of an advance', advance({ By: '1h', Steps: 2 }), bad('Unknown members: Steps')),
  row(
    'a clock that goes back',
    clock({ Mode: 'manual', Now: '2020-01-01T00:00:00Z' }),
    bad('only goes forward'),
  ),
  row(
    'a clock that goes a million times and a bit',
    clock({ Mode: 'scaled', Rate: 1_000_001 }),
    bad('Rate must be a number from 0.001 to 1000000'),
  ),
  row('a clock that goes backwards', clock({ Mode: 'scaled', Rate: -1 }), bad('Rate')),
  row('a clock that is not a number', clock({ Mode: 'scaled', Rate: 'NaN' }), bad('Rate')),
  row('a clock of a rate beyond numbers', clock('{"Mode":"scaled","Rate":1e400}'), bad('Rate')),
  row('a clock of no mode', clock({}), bad('Mode is required')),
  row('a clock with the mode of a prototype', clock({ Mode: 'constructor' }), bad('Mode must be one of')),
  row(
    'a charge at the end of time',
    charging({ PaymentInformation: { CardNumber: VISA, ExpiryDate: '12/99' } }),
    refused(402, 14),
    AT_END,
  ),
  row(
    'a vault entry at the end of time',
    post('/vault', { CardNumber: VISA, ExpireSeconds: 9_999_999 }),
    refused(400, 83),
    AT_END,
  ),
  row(
    'a subscription at the end of time',
    post('/subscription/payment_method', {
      PaymentMethodId: 'a0000000000000000000000000000001',
      Amount: 5,
      Currency: 'AUD',
      Interval: 'Year',
      Frequency: 1,
    }),
    taken('"Status":"Active"'),
    AT_END,
  ),
  row(
    'a batch at the end of time',
    post('/batch/transaction/payment_method', {
      Count: 1,
      Description: 'd',
      Batch: 'PaymentMethodId,Amount,Currency,Reference\nx,5,AUD,r',
    }),
    taken('"Status":"RECEIVED"'),
    AT_END,
  ),
  row('a webhook at the end of time', post('/_sandbox/settle', {}), taken(), { after: [LAST, BANK] }),
  row('a charge of a bank account at the end of time', BANK, taken('"Status":"PENDING"'), AT_END),
  row('a vault entry for a moment at the end of time', post('/vault', { CardNumber: VISA }), taken(), AT_END),
  row(
    'a settlement report at the end of time',
    get('/settlements?StartDate=9999-12-31&EndDate=9999-12-31'),
    taken(),
    AT_END,
  ),
  row(
    'a token at the end of time',
    post('/_sandbox/tokens', {
      ProviderId: '00000000000000000000000000000001',
      PaymentInformation: { CardNumber: VISA, ExpiryDate: '12/99' },
    }),
    refused(402, 14),
    AT_END,
  ),
  row('a settle of a day', post('/_sandbox/settle', { Timeout: '1d' }), bad('Timeout is longer than 1m')),
  row('an await of a day', post('/_sandbox/journal/await', { Match: {}, Timeout: '1d' }), bad('Timeout')),
  row(
    'an await of more entries than there can be',
    post('/_sandbox/journal/await', { Match: {}, Count: 1e9, Timeout: '0s' }),
    bad('Count'),
  ),
  row(
    'a count with a prototype in its body',
    post('/_sandbox/journal/count', '{"Match":{"Body":{"__proto__":1}}}'),
    bad('__proto__'),
  ),
  row('an export in another format', get('/_sandbox/journal/export?Format=../../etc/passwd'), bad('Format')),
  row(
    'a scenario that is a path',
    put('/_sandbox/scenario', { Name: '../../../etc/passwd' }),
    refused(404, 90, 'There is no scenario "../../../etc/passwd".'),
  ),
  row(
    'a scenario that is a path without its end',
    put('/_sandbox/scenario', { Name: '../package.json\0' }),
    noScenario,
  ),
  row(
    'a scenario by name and definition',
    put('/_sandbox/scenario', { Name: 'happy-path', Definition: { name: 'a' } }),
    bad(),
  ),
  row('a scenario that is a text', scenario('name: a'), bad()),
  row('a scenario that is a list', scenario([]), bad()),
  row(
    'a scenario with a member that nobody knows',
    scenario({ name: 'a', script: 'process.exit()' }),
    bad('script'),
  ),
  row(
    'a scenario of 501 rules',
    scenario({ name: 'a', rules: times(501, () => ({ then: { outcome: 'approve' } })) }),
    bad('rules'),
  ),
  row(
    'a rule whose name breaks a header',
    rule({ outcome: 'approve' }, {}, { name: 'a\r\nSet-Cookie: b' }),
    bad('1 to 64 characters of ASCII'),
  ),
  row(
    'a rule whose name is no ASCII',
    rule({ outcome: 'approve' }, {}, { name: 'é' }),
    bad('1 to 64 characters of ASCII'),
  ),
  row(
    'a rule with a pattern of 129 characters',
    rule({ outcome: 'approve' }, { reference: '*'.repeat(129) }),
    bad('reference'),
  ),
  row(
    'a rule with a pattern that a regular expression would never end with',
    charging({ Reference: 'a'.repeat(1024) }),
    taken(),
    { after: [rule({ outcome: 'do_not_honor' }, { reference: `${'*a'.repeat(60)}*b` })] },
  ),
  row('a rule that waits for a year', rule({ delay: '365d' }), bad('60s')),
  row('a rule with a status of none', rule({ respond: { status: 99 } }), bad('status')),
  row(
    'a rule with an answer of a megabyte',
    rule({ respond: { status: 200, body: 'x'.repeat(900_000) } }),
    bad('is longer than 65536 characters'),
  ),
  row(
    'a rule with the state of a prototype',
    put('/_sandbox/scenario', '{"Definition":{"name":"a","rules":[{"then":{"state":{"__proto__":1}}}]}}'),
    bad('__proto__'),
  ),
  row(
    'a timeline at a time that never comes',
    scenario({ name: 'a', timeline: [{ at: '99999999999999d', play: {} }] }),
    bad('timeline'),
  ),
  row('a queue of 1,001 outcomes', queue({ Outcomes: times(1001, () => 'approve') }), bad('Outcomes')),
  row(
    'a queue of an operation of a prototype',
    queue({ Operation: '__proto__' }),
    bad('Operation', 'charge.create'),
  ),
  row('a queue of an outcome of a prototype', queue({ Outcomes: ['constructor'] }), bad('Outcomes')),
  row('a queue of a fault that nobody knows', queue({ Outcomes: [{ Fault: 'exit' }] }), bad('Outcomes')),
  row(
    'an action that is called like a method',
    simulate({ Action: 'toString', Ref: CAPTURED }),
    bad('Action'),
  ),
  row(
    'a simulation of what cannot happen',
    simulate({ Action: 'authorisation.expire', Ref: CAPTURED }),
    refused(409, 54),
  ),
  row('a seed of an object', reset({ Seed: {} }), bad('Seed must be a text')),
  row('a reset to a scenario that is a path', reset({ Scenario: '../../package' }), noScenario),
  row(
    'a snapshot restored that nobody saved',
    post('/_sandbox/snapshots/none/restore', {}),
    refused(404, 90, 'This world has no snapshot "none".'),
  ),
  row('an eleventh snapshot', ask('PUT', '/_sandbox/snapshots/k'), refused(503, 37, 'at most 10 snapshots'), {
    after: [...'abcdefghij'].map((name) => ask('PUT', `/_sandbox/snapshots/${name}`)),
  }),
  row('an empty state document', state({}), bad()),
  row('a state document of another program', state({ Format: 'other', Version: 1 }), bad('Format')),
  row(
    'a state document of a later version',
    state({ Format: 'playmoney-state', Version: 2 }),
    bad('Version'),
  ),
  row('a state document nested a million deep', state('['.repeat(1_000_000)), bad('not acceptable JSON')),
  row(
    'a state document with a prototype',
    state('{"Format":"playmoney-state","Version":1,"__proto__":{"Seed":"1"}}'),
    bad(),
  ),
  row('an outcome of a prototype', outcome('__proto__'), bad(OUTCOME)),
  row('two outcomes', outcome('approve, do_not_honor'), bad(OUTCOME)),
  row('two headers with an outcome', outcome('approve\r\nx-sandbox-outcome: do_not_honor'), bad(OUTCOME)),
  row('a delay of a day', outcome('approve, delay=1d'), bad('is longer than 60s')),
  row('a delay that is negative', outcome('approve, delay=-1s'), bad('is not a duration')),
  row('a fault of a status that is none', fault('status=999'), bad(FAULT)),
  row('a fault of an interim status', fault('status=101'), bad(FAULT)),
  row('a fault with a body of its own', fault('status=200; body=x'), bad(FAULT)),
  row('a fault in UTF-8', fault('r\xc3\xa9set'), bad(FAULT)),
  row('a fault of a status without a body', fault('status=204'), {
    status: 204,
    says: ['x-sandbox-fault: status'],
  }),
  row('a fault of a status whose body was reset', fault('status=205'), {
    status: 205,
    says: ['x-sandbox-fault: status'],
  }),
  row('a dialect that nobody speaks', dialect('klingon'), bad(DIALECT)),
  row('two dialects', dialect('sdk, documented'), bad(DIALECT)),
  row('a dialect of a prototype', dialect('__proto__'), bad(DIALECT)),
  row(
    'a control call with GET that changes',
    get('/_sandbox/reset'),
    refused(405, 90, 'GET is not taken here; POST is.'),
  ),
  row('an unknown control call', get('/_sandbox/eval'), refused(404, 90, 'There is no such path.')),
  row('a page of a world', get('/_sandbox/worlds'), taken('"Worlds":')),
  row('a world of a key in the list of worlds', get('/_sandbox/worlds'), taken()),
  row('an export of the journal', get('/_sandbox/journal/export?Format=har'), taken('"version":"1.2"'), {
    after: [charging()],
  }),
  row(
    'an export of a trace, with stand-ins for cards',
    get('/_sandbox/journal/export?Format=trace'),
    taken(),
    { after: [charging()] },
  ),
  row(
    'a state document with keys of others',
    get('/_sandbox/state', `x-sandbox-admin: ${ADMIN}`),
    taken('"Format":"playmoney-state"'),
    GUARDED,
  ),
  row(
    'a simulation by another world',
    simulate({ Action: 'authorisation.expire', Ref: AUTHORISED }, `x-secretkey: ${KEY}x`),
    taken('AUTHORISE_CANCELLED'),
  ),
];
