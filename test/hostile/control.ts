import { batchOf } from '../support/bodies.js';
import {
  ADMIN,
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
  type Rows,
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
export const CONTROL: Rows = {
  'an advance of 400 digits': row(advance({ By: `${'9'.repeat(400)}d` }), bad('a duration such as')),
  'an advance in exponents': row(advance({ By: '1e9s' }), bad('a duration such as')),
  'an advance by a duration in full-width digits': row(advance({ By: '１h' }), bad('a duration such as')),
  'an advance to the year 10000': row(advance({ To: '10000-01-01T00:00:00Z' }), bad('To')),
  'a clock that is not a number': row(clock({ Mode: 'scaled', Rate: 'NaN' }), bad('Rate')),
  'a clock with the mode of a prototype': row(clock({ Mode: 'constructor' }), bad('Mode must be one of')),
  'a charge at the end of time': row(
    charging({ PaymentInformation: { CardNumber: VISA, ExpiryDate: '12/99' } }),
    refused(400, 14),
    AT_END,
  ),
  'a vault entry at the end of time': row(
    post('/vault', { CardNumber: VISA, ExpireSeconds: 9_999_999 }),
    refused(400, 83),
    AT_END,
  ),
  'a subscription at the end of time': row(
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
  'a batch at the end of time': row(
    post('/batch/transaction/payment_method', batchOf(['x,5,AUD,r'])),
    taken('"Status":"RECEIVED"'),
    AT_END,
  ),
  'a webhook at the end of time': row(post('/_sandbox/settle', {}), taken(), { after: [LAST, BANK] }),
  'a charge of a bank account at the end of time': row(BANK, taken('"Status":"PENDING"'), AT_END),
  'a vault entry for a moment at the end of time': row(post('/vault', { CardNumber: VISA }), taken(), AT_END),
  'a settlement report at the end of time': row(
    get('/settlements?StartDate=9999-12-31&EndDate=9999-12-31'),
    taken(),
    AT_END,
  ),
  'a token at the end of time': row(
    post('/_sandbox/tokens', {
      ProviderId: '00000000000000000000000000000001',
      PaymentInformation: { CardNumber: VISA, ExpiryDate: '12/99' },
    }),
    refused(400, 14),
    AT_END,
  ),
  'an await of a day': row(post('/_sandbox/journal/await', { Match: {}, Timeout: '1d' }), bad('Timeout')),
  'an await of more entries than there can be': row(
    post('/_sandbox/journal/await', { Match: {}, Count: 1e9, Timeout: '0s' }),
    bad('Count'),
  ),
  'a count with a prototype in its body': row(
    post('/_sandbox/journal/count', '{"Match":{"Body":{"__proto__":1}}}'),
    bad('__proto__'),
  ),
  'an export in another format': row(get('/_sandbox/journal/export?Format=../../etc/passwd'), bad('Format')),
  'a scenario that is a path': row(
    put('/_sandbox/scenario', { Name: '../../../etc/passwd' }),
    refused(404, 90, 'There is no scenario "../../../etc/passwd".'),
  ),
  'a scenario that is a path without its end': row(
    put('/_sandbox/scenario', { Name: '../package.json\0' }),
    bad('a NUL character'),
  ),
  'a scenario that is a text': row(scenario('name: a'), bad()),
  'a scenario that is a list': row(scenario([]), bad()),
  'a scenario with a member that nobody knows': row(
    scenario({ name: 'a', script: 'process.exit()' }),
    bad('script'),
  ),
  'a scenario of 501 rules': row(
    scenario({ name: 'a', rules: times(501, () => ({ then: { outcome: 'approve' } })) }),
    bad('rules'),
  ),
  'a rule whose name breaks a header': row(
    rule({ outcome: 'approve' }, {}, { name: 'a\r\nSet-Cookie: b' }),
    bad('1 to 64 ASCII characters'),
  ),
  'a rule whose name is no ASCII': row(
    rule({ outcome: 'approve' }, {}, { name: 'é' }),
    bad('1 to 64 ASCII characters'),
  ),
  'a rule with a pattern of 129 characters': row(
    rule({ outcome: 'approve' }, { reference: '*'.repeat(129) }),
    bad('reference'),
  ),
  'a rule with a pattern that a regular expression would never end with': row(
    charging({ Reference: 'a'.repeat(1024) }),
    taken(),
    { after: [rule({ outcome: 'do_not_honor' }, { reference: `${'*a'.repeat(60)}*b` })] },
  ),
  'a rule that waits for a year': row(rule({ delay: '365d' }), bad('60s')),
  'a rule with a status of none': row(rule({ respond: { status: 99 } }), bad('status')),
  'a rule with an answer of a megabyte': row(
    rule({ respond: { status: 200, body: 'x'.repeat(900_000) } }),
    bad('must have at most 65536 characters'),
  ),
  'a rule with the state of a prototype': row(
    put('/_sandbox/scenario', '{"Definition":{"name":"a","rules":[{"then":{"state":{"__proto__":1}}}]}}'),
    bad('__proto__'),
  ),
  'a timeline at a time that never comes': row(
    scenario({ name: 'a', timeline: [{ at: '99999999999999d', play: {} }] }),
    bad('timeline'),
  ),
  'a queue of 1,001 outcomes': row(queue({ Outcomes: times(1001, () => 'approve') }), bad('Outcomes')),
  'a queue of an operation of a prototype': row(
    queue({ Operation: '__proto__' }),
    bad('Operation', 'charge.create'),
  ),
  'a queue of an outcome of a prototype': row(queue({ Outcomes: ['constructor'] }), bad('Outcomes')),
  'an action that is called like a method': row(
    simulate({ Action: 'toString', Ref: CAPTURED }),
    bad('Action'),
  ),
  'a simulation of what cannot happen': row(
    simulate({ Action: 'authorisation.expire', Ref: CAPTURED }),
    refused(409, 54),
  ),
  'a seed of an object': row(reset({ Seed: {} }), bad('Seed must be a string')),
  'a reset to a scenario that is a path': row(reset({ Scenario: '../../package' }), noScenario),
  'an empty state document': row(state({}), bad()),
  'a state document nested a million deep': row(state('['.repeat(1_000_000)), bad('not valid JSON')),
  'a state document with a prototype': row(
    state('{"Format":"playmoney-state","Version":1,"__proto__":{"Seed":"1"}}'),
    bad(),
  ),
  'an outcome of a prototype': row(outcome('__proto__'), bad(OUTCOME)),
  'two outcomes': row(outcome('approve, do_not_honor'), bad(OUTCOME)),
  'two headers with an outcome': row(outcome('approve\r\nx-sandbox-outcome: do_not_honor'), bad(OUTCOME)),
  'a delay of a day': row(outcome('approve, delay=1d'), bad('must be at most 60s')),
  'a delay that is negative': row(outcome('approve, delay=-1s'), bad('must be a duration')),
  'a fault of a status that is none': row(fault('status=999'), bad(FAULT)),
  'a fault of an interim status': row(fault('status=101'), bad(FAULT)),
  'a fault with a body of its own': row(fault('status=200; body=x'), bad(FAULT)),
  'a fault in UTF-8': row(fault('r\xc3\xa9set'), bad(FAULT)),
  'a fault of a status without a body': row(fault('status=204'), {
    status: 204,
    says: ['x-sandbox-fault: status'],
  }),
  'a fault of a status whose body was reset': row(fault('status=205'), {
    status: 205,
    says: ['x-sandbox-fault: status'],
  }),
  'a dialect that nobody speaks': row(dialect('klingon'), bad(DIALECT)),
  'two dialects': row(dialect('sdk, documented'), bad(DIALECT)),
  'a dialect of a prototype': row(dialect('__proto__'), bad(DIALECT)),
  'a page of a world': row(get('/_sandbox/worlds'), taken('"Worlds":')),
  'an export of the journal': row(get('/_sandbox/journal/export?Format=har'), taken('"version":"1.2"'), {
    after: [charging()],
  }),
  'an export of a trace, with stand-ins for cards': row(
    get('/_sandbox/journal/export?Format=trace'),
    taken(),
    { after: [charging()] },
  ),
  'a bundle, which has no key': row(get('/_sandbox/bundle'), taken('"Format":"playmoney-bundle"'), {
    after: [charging()],
  }),
  'a state document with keys of others': row(
    get('/_sandbox/state', `x-sandbox-admin: ${ADMIN}`),
    taken('"Format":"playmoney-state"'),
    GUARDED,
  ),
  'a simulation by another world': row(
    simulate({ Action: 'authorisation.expire', Ref: AUTHORISED }, `x-secretkey: ${KEY}x`),
    taken('AUTHORISE_CANCELLED'),
  ),
};
