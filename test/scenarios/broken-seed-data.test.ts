import { describe, expect, test } from 'vitest';

import { parseScenario } from '../../src/scenarios/schema.js';
import { expectShown } from './support.js';

const [C1, C2, A1, A2, E1] = ['c1', 'c2', 'a1', 'a2', 'e1'].map((id) => id.padEnd(32, '0'));
const VISA = 'cardNumber: 4111111111111111';
const CARD = `${VISA}, expiryDate: 10/30`;
const ID_SHAPE = '32 hexadecimal digits in small letters';
const TEST_CARD = 'it takes the number of a published test card such as 4111111111111111';

const seed = (...lines: string[]): string => `name: a\nseedData:\n  ${lines.join('\n  ')}\n`;
const customer = (text: string): string => seed(`customers: [{${text}}]`);
const method = (text: string): string => seed(`paymentMethods: [{${text}}]`);
const entry = (text: string): string => seed(`vault: [{${text}}]`);
/** A vault entry of a published card. */
const visa = (text: string): string => entry(`${VISA}, ${text}`);
const token = (text: string): string => seed(`tokens: [{${text}}]`);
const charge = (text: string): string => seed(`charges: [{${text}}]`);
const cardCharge = (text: string): string => charge(`${CARD}, ${text}`);

/** A file in which the one record is what is wrong. */
const whole = (text: string): string => text.replace('[{', '[¦{');

/** By what is wrong: a text in which ¦ marks the place, and what is said of it. */
const BROKEN: Readonly<Record<string, [text: string, message: string]>> = {
  'no object': [`name: a\nseedData: ¦[]\n`, 'seedData is a list; it takes an object of fake, customers,'],
  'an unknown list': [
    seed(`¦custmers: []`),
    "'custmers' is no member of seedData, which takes fake, customers, paymentMethods, vault, tokens, charges. Did you mean 'customers'?",
  ],
  'a list that is none': [seed(`vault: ¦{}`), 'vault is an object; it takes a list of vault entries'],
  'a record that is none': [seed(`customers: [¦Ada]`), "customers[0] is 'Ada'; it takes an object of"],
  'an unknown member': [customer(`¦fristName: Ada`), "'fristName' is no member of customers[0], which takes"],
  'too many records': [
    seed(`customers: ¦[${'{},'.repeat(1001)}]`),
    'customers is a list of more than 1000, which is the most',
  ],

  'people without a word': [seed(`fake: ¦200`), "fake is 200; it takes a number of people such as '200"],
  'people of another kind': [seed(`fake: ¦200 charges`), "fake is '200 charges'; it takes a number of"],
  nobody: [seed(`fake: ¦0 customers`), "fake is '0 customers'; it takes a number of people"],
  'too many people': [
    seed(`fake: ¦10001 customers`),
    "it takes a number of people such as '200 customers', at most 10000",
  ],
  'too many people in an object': [
    seed(`fake: {customers: ¦10001}`),
    'customers is 10001; it takes a whole number from 1 to 10000',
  ],
  'people in a list': [seed(`fake: ¦[1]`), 'fake is a list; it takes a number of people'],
  'people without their number': [
    seed(`fake: ¦{paymentMethods: true}`),
    'customers is missing; it takes a whole number',
  ],
  'a wish that is a word': [
    seed(`fake: {customers: 1, paymentMethods: ¦'no'}`),
    "paymentMethods is 'no'; it takes true, false",
  ],

  'an identifier that is too short': [
    customer(`customerId: ¦c1`),
    `customerId is 'c1'; it takes its CustomerId: ${ID_SHAPE}`,
  ],
  'an identifier in capitals': [
    customer(`customerId: ¦${C1?.toUpperCase()}`),
    `it takes its CustomerId: ${ID_SHAPE}`,
  ],
  'an identifier without quotes': [
    customer(`customerId: ¦${'1'.repeat(32)}`),
    `${ID_SHAPE}; put it in quotes`,
  ],
  'an identifier that two customers have': [
    seed(`customers: [{customerId: ${C1}}, {customerId: ${C2}}, {customerId: ¦${C1}}]`),
    'customerId is that of customers[0] as well; each takes one of its own',
  ],
  'an identifier that two methods have': [
    seed(`paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}, {paymentMethodId: ¦${A1}, ${CARD}}]`),
    'paymentMethodId is that of paymentMethods[0] as well',
  ],
  'an identifier that two entries have': [
    seed(
      `vault: [{vaultId: ${E1}, cardNumber: 4111111111111111}, {vaultId: ¦${E1}, cardNumber: 4111111111111111}]`,
    ),
    'vaultId is that of vault[0] as well',
  ],
  'an identifier that two tokens have': [
    seed(`tokens: [{tokenId: ${E1}, ${CARD}}, {tokenId: ¦${E1}, ${CARD}}]`),
    'tokenId is that of tokens[0] as well',
  ],
  'an identifier that two charges have': [
    seed(`charges: [{chargeId: ${E1}, amount: 1, ${CARD}}, {chargeId: ¦${E1}, amount: 1, ${CARD}}]`),
    'chargeId is that of charges[0] as well',
  ],
  'a method of an unknown customer': [
    seed(`customers: [{customerId: ${C1}}]`, `paymentMethods: [{customerId: ¦${C2}, ${CARD}}]`),
    `customerId is '${C2}'; it takes a customerId that stands in the customers of seedData. Did you mean '${C1}'?`,
  ],
  'a method of an unknown entry': [
    method(`vaultId: ¦${E1}, expiryDate: 10/30`),
    `vaultId is '${E1}'; it takes a vaultId that stands in the vault of seedData`,
  ],
  'an unknown default': [
    customer(`defaultPaymentMethodId: ¦${A1}`),
    `defaultPaymentMethodId is '${A1}'; it takes a paymentMethodId that stands in the paymentMethods of seedData`,
  ],
  'the method of another for a default': [
    seed(
      `customers: [{customerId: ${C1}}, {customerId: ${C2}, defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, customerId: ${C1}, ${CARD}}]`,
    ),
    `defaultPaymentMethodId is '${A1}', whose customerId is another; it takes a payment method of this customer`,
  ],
  "nobody's method for a default": [
    seed(
      `customers: [{defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
    ),
    'whose customerId is another',
  ],
  'a charge of an unknown method': [
    seed(
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
      `charges: [{paymentMethodId: ¦${A2}, amount: 1}]`,
    ),
    `paymentMethodId is '${A2}'; it takes a paymentMethodId that stands in the paymentMethods of seedData. Did you mean '${A1}'?`,
  ],

  'no card number': [
    whole(entry(`ccv: '123'`)),
    `cardNumber is missing; it takes the number of a published test card`,
  ],
  'a number with a wrong digit': [
    entry(`cardNumber: ¦4111111111111112`),
    `cardNumber is no card number; ${TEST_CARD}`,
  ],
  'a number that is too short': [
    entry(`cardNumber: ¦41111`),
    `cardNumber is no card number, of which 12 to 19 digits are taken; ${TEST_CARD}`,
  ],
  "somebody's number": [
    entry(`cardNumber: ¦4539578763621486`),
    `cardNumber is no published test card; ${TEST_CARD}`,
  ],
  'a number of letters': [token(`expiryDate: 10/30, cardNumber: ¦visa`), 'cardNumber is no card number;'],
  'a number that is a list': [entry(`cardNumber: ¦[4]`), 'cardNumber is a list; it takes the number of'],
  'a month that is none': [
    method(`cardNumber: 4111111111111111, expiryDate: ¦13/30`),
    "expiryDate is '13/30'; it takes the month and year MM/YY such as 10/30",
  ],
  'an expiry without a slash': [
    token(`cardNumber: 4111111111111111, expiryDate: ¦1030`),
    'expiryDate is 1030; it takes the month and year MM/YY such as 10/30; put it in quotes',
  ],
  'no expiry': [
    whole(method(`cardNumber: 4111111111111111`)),
    'expiryDate is missing; it takes the month and year',
  ],
  'a Ccv without quotes': [
    visa(`ccv: ¦987`),
    'ccv is no Ccv; it takes three digits, four for American Express, in quotes',
  ],
  'a Ccv of four digits': [
    visa(`ccv: ¦'9876'`),
    'ccv does not fit the card; it takes three digits, four for American Express',
  ],
  'a Ccv of three digits for American Express': [
    token(`cardNumber: 378282246310005, expiryDate: 10/30, ccv: ¦'987'`),
    'ccv does not fit the card;',
  ],
  'an end without its sign': [
    visa(`expires: ¦1h`),
    "expires is '1h'; it takes a time from the start of the world such as +15m or +7d, or an instant",
  ],
  'an end on a day that does not exist': [
    visa(`expires: ¦2026-02-30T00:00:00Z`),
    "expires is '2026-02-30T00:00:00Z'; it takes",
  ],
  'an end that is a number': [token(`${CARD}, expires: ¦60`), 'expires is 60; it takes'],
  'an end after too long': [visa(`expires: ¦+36526d`), "expires is '+36526d'; it takes"],

  'a method without a card': [
    seed(`paymentMethods: [¦{expiryDate: 10/30}]`),
    'paymentMethods[0] has no card; it takes cardNumber or vaultId',
  ],
  'a method with two cards': [
    method(`vaultId: ${E1}, expiryDate: 10/30, cardNumber: ¦4111111111111111`),
    'cardNumber stands beside vaultId, whose card it is',
  ],
  'a method at an unknown provider': [method(`${CARD}, provider: ¦stedy`), "Did you mean 'steady'?"],
  'a postal code that lost its zeros': [
    customer(`address: {postalCode: ¦0800}`),
    'postalCode is 800; it takes a text of 1 to 1024 characters; put it in quotes',
  ],
  'an unknown member of an address': [
    customer(`address: {¦line3: x}`),
    "'line3' is no member of address, which takes line1, line2, city, country, postalCode, state. Did you mean 'line1'?",
  ],
  'a text without end': [
    customer(`firstName: ¦${'x'.repeat(1025)}`),
    'it takes a text of 1 to 1024 characters',
  ],
  'metadata that is a number': [
    customer(`metadata: {n: ¦1}`),
    'n is 1; it takes a text of 1 to 1024 characters; put it in quotes',
  ],
  'a name that metadata cannot have': [
    customer(`metadata: {¦constructor: x}`),
    "'constructor' is no name in metadata",
  ],
  'too much metadata': [
    customer(`metadata: ¦{${Array.from({ length: 51 }, (_, n) => `k${n}: x`).join()}}`),
    'metadata has more than 50 names, which is the most',
  ],

  'a charge without an amount': [
    whole(charge(CARD)),
    'amount is missing; it takes an amount in major units such as 15.5',
  ],
  'an amount with a currency': [
    cardCharge(`amount: ¦20 AUD`),
    "amount is '20 AUD'; it takes an amount in major units",
  ],
  'an amount of nothing': [cardCharge(`amount: ¦0`), "amount is '0'; it takes an amount above zero"],
  'an amount with too many decimals': [
    cardCharge(`amount: ¦1.5, currency: JPY`),
    "amount is '1.5'; it takes at most 0 decimals of JPY",
  ],
  'an amount too large': [
    cardCharge(`amount: ¦1000000000`),
    "amount is '1000000000'; it takes at most 999999999.99",
  ],
  'an amount with zeros in front': [
    cardCharge(`amount: ¦'007'`),
    "amount is '007'; it takes an amount in major units",
  ],
  'an unknown currency': [
    cardCharge(`amount: 1, currency: ¦AUS`),
    "currency is 'AUS'; it takes an ISO 4217 code such as AUD",
  ],
  'an unknown status': [
    cardCharge(`amount: 1, status: ¦REFUNDED`),
    "status is 'REFUNDED'; it takes SUCCESS, FAILED, PARTIAL_REFUND, REFUND, Authorised, AUTHORISE_CANCELLED. Did you mean 'REFUND'?",
  ],
  'a refund without its amount': [
    whole(charge(`${CARD}, amount: 1, status: PARTIAL_REFUND`)),
    'charges[0] has the status PARTIAL_REFUND; it takes refunded beside it',
  ],
  'a refund of all in part': [
    cardCharge(`amount: 1, status: PARTIAL_REFUND, refunded: ¦1.00`),
    'refunded is not less than the amount; a whole refund has the status REFUND',
  ],
  'a refund of nothing': [
    cardCharge(`amount: 1, status: PARTIAL_REFUND, refunded: ¦0`),
    "refunded is '0'; it takes an amount above zero",
  ],
  'a refund of what was not refunded': [
    cardCharge(`amount: 1, refunded: ¦0.5`),
    'refunded stands beside the status SUCCESS; PARTIAL_REFUND alone takes it',
  ],
  'an outcome of what did not fail': [
    cardCharge(`amount: 1, outcome: ¦lost_card`),
    'outcome stands beside the status SUCCESS; FAILED alone takes it',
  ],
  'a failure by approval': [
    cardCharge(`amount: 1, status: FAILED, outcome: ¦approve`),
    'outcome is approve, with which no charge fails',
  ],
  'an unknown outcome': [
    cardCharge(`amount: 1, status: FAILED, outcome: ¦lost_crad`),
    "Did you mean 'lost_card'?",
  ],
  'a charge of nothing': [
    whole(charge('amount: 1')),
    'charges[0] has no card; it takes paymentMethodId, or cardNumber and expiryDate',
  ],
  'a charge of a card without its expiry': [
    whole(charge('amount: 1, cardNumber: 4111111111111111')),
    'charges[0] has no card;',
  ],
  'a charge of a method and a card': [
    charge(`amount: 1, paymentMethodId: ${A1}, expiryDate: ¦10/30`),
    'expiryDate stands beside paymentMethodId, whose it is',
  ],
  'a charge of a method at a provider': [
    charge(`amount: 1, paymentMethodId: ${A1}, provider: ¦steady`),
    'provider stands beside paymentMethodId, whose it is',
  ],
};

describe('broken seed data', () => {
  test.each(Object.entries(BROKEN))('%s is shown where it stands', (_, [marked, message]) =>
    expectShown(marked, message),
  );

  test('repeat no card number and no Ccv, whatever is wrong with them', () => {
    const cards = ['4539578763621486', '4539578763621487', 4539578763621486, '45395787636214869999'];
    for (const cardNumber of cards) {
      const read = parseScenario({ name: 'a', seedData: { vault: [{ cardNumber, ccv: '98765' }] } });
      expect(JSON.stringify(read)).not.toMatch(/45395787|98765/);
      expect(read).toMatchObject({ issues: [{ path: ['seedData', 'vault', 0, 'cardNumber'] }, {}] });
    }
  });

  test('that came in a request are refused with their paths', async () => {
    const seedData = {
      paymentMethods: [{ customerId: C1, cardNumber: '4111111111111111', expiryDate: '10/30' }],
    };
    expect(parseScenario({ name: 'a', seedData })).toMatchObject({
      issues: [{ path: ['seedData', 'paymentMethods', 0, 'customerId'] }],
    });
  });
});
