import {
  bad,
  CCV,
  charge,
  charging,
  ENTRY,
  get,
  grouped,
  METHOD,
  PAN,
  post,
  refused,
  type Row,
  type Rows,
  row,
  taken,
} from './row.js';

/** A charge of a published card, so that the number stands only where the row puts it. */
const PUBLISHED = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' };
const ordinary = (more: object, ...headers: string[]): string =>
  charging({ PaymentInformation: PUBLISHED, ...more }, ...headers);

const CARD_NAMES =
  'Number Pan PAN pan card Card CardNo card_no CARD-NO ccNumber cc_number CreditCardNumber debitCardNumber PrimaryAccountNumber primary-account-number card.number cardNumber2 Cardnum AccountRef Token OrderId Note x';
const CCV_NAMES =
  'SecurityCode securityCode SECURITY_CODE security-code Cvv cvv2 CVC Csc CardSecurityCode cardCvc CardVerificationValue';

/** Each spelling as an unknown field, which is answered with a warning. */
const fieldRows: Rows = Object.fromEntries([
  ...CARD_NAMES.split(' ').map((name): [string, Row] => [
    `a card number in the field ${name}`,
    row(ordinary({ [name]: PAN }), taken()),
  ]),
  ...CCV_NAMES.split(' ').map((name): [string, Row] => [
    `a security code in the field ${name}`,
    row(ordinary({ [name]: CCV }), taken()),
  ]),
  ...CARD_NAMES.split(' ').map((name): [string, Row] => [
    `a card number in the filter ${name}`,
    row(get(`/charge?${name}=${PAN}`), taken()),
  ]),
  ...CCV_NAMES.split(' ').map((name): [string, Row] => [
    `a security code in the filter ${name}`,
    row(get(`/charge?${name}=${CCV}`), taken()),
  ]),
]);

/** Ways to write the number that its readers would still understand. */
const writings: Rows = Object.fromEntries(
  Object.entries({
    'with blanks': grouped('$& '),
    'with hyphens': grouped('$&-'),
    'digit by digit': PAN.split('').join(' '),
    'in a sentence': `the card ${PAN}, please`,
    'with blanks in a sentence': `the card ${grouped('$& ')}, please`,
    'behind letters': `n${PAN}n`,
    'as a number': Number(PAN),
    'in a list': [PAN],
    'in a list of numbers': [Number(PAN)],
    'in a list of lists': [[PAN]],
    'in an object': { a: { b: { c: PAN } } },
    'in a list of objects': [{ Pan: PAN }, { Number: Number(PAN) }],
    'beside an expiry': `${PAN} 12/30`,
    'as JSON in a text': JSON.stringify({ CardNumber: PAN }),
  }).map(([how, value]): [string, Row] => [
    `a card number ${how}`,
    row(ordinary({ Extra: value, Customer: { Extra: value } }), taken()),
  ]),
);

const batch = (rows: string): object => ({
  Count: 1,
  Description: 'd',
  Batch: `PaymentMethodId,Amount,Currency,Reference\n${rows}`,
});

/** Card numbers, security codes and keys, which no answer, journal or log may repeat. */
export const MASKS: Rows = {
  ...fieldRows,
  ...writings,
  'a card number written with escapes': row(
    post('/charge/card', JSON.stringify(charge({ Extra: 'PAN' })).replace('PAN', `\\u00349${PAN.slice(2)}`)),
    taken(),
  ),
  'a card number as a number with a point': row(
    post('/charge/card', JSON.stringify(charge({ Extra: 'PAN' })).replace('"PAN"', `${PAN}.0`)),
    taken(),
  ),
  'a card number in a body with blanks and line breaks': row(
    post('/charge/card', JSON.stringify(charge({ Pan: PAN }), null, 2)),
    taken(),
  ),
  'a card number in a row of a batch': row(
    post('/batch/transaction/payment_method', batch(`${PAN},5,AUD,r`)),
    taken(),
  ),
  'a card number in quotes in a row of a batch': row(
    post('/batch/transaction/payment_method', batch(`"${METHOD}",5,AUD,"card ${PAN}"`)),
    taken(),
  ),
  'a card number in a column too many': row(
    post('/batch/transaction/payment_method', batch(`${METHOD},5,AUD,r,${PAN}`)),
    refused(400, 102),
  ),
  'a card number as a vault entry': row(get(`/vault/${PAN}`), refused(404, 62)),
  'a card number in a header': row(get('/charge', `X-Note: ${PAN}`), taken()),
  'a card number in a header with blanks': row(get('/charge', `X-Note: card ${grouped('$& ')}`), taken()),
  'a security code in a header': row(get('/charge', `X-Security-Code: ${CCV}`, `Cvv: ${CCV}`), taken()),
  'a card number in a search': row(get(`/customer?Search=${PAN}`), taken()),
  'a card number in a search, with plus signs': row(get(`/customer?Search=${grouped('$&+')}`), taken()),
  'a key that breaks off': row(
    post('/charge/card', '{"ApiKey":"sk_live_4f9a8b7c"'),
    bad('The body is not valid JSON'),
  ),
  'a card number in an entry of the vault that is read': row(get(`/vault/${ENTRY}?Pan=${PAN}`), {
    status: 200,
    says: [],
  }),
};
