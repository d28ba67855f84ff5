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

/** What is said of a file, and its text, in which ¦ marks the place. */
const BROKEN: readonly (readonly [message: string, text: string])[] = [
  ['seedData is a list; it takes an object of fake, customers,', `name: a\nseedData: ¦[]\n`],
  [
    "'custmers' is no member of seedData, which takes fake, customers, paymentMethods, vault, tokens, charges. Did you mean 'customers'?",
    seed(`¦custmers: []`),
  ],
  ['vault is an object; it takes a list of vault entries', seed(`vault: ¦{}`)],
  ["customers[0] is 'Ada'; it takes an object of", seed(`customers: [¦Ada]`)],
  ["'fristName' is no member of customers[0], which takes", customer(`¦fristName: Ada`)],
  ['customers is a list of more than 1000, which is the most', seed(`customers: ¦[${'{},'.repeat(1001)}]`)],

  ["fake is 200; it takes a number of people such as '200", seed(`fake: ¦200`)],
  ["fake is '200 charges'; it takes a number of", seed(`fake: ¦200 charges`)],
  ["fake is '0 customers'; it takes a number of people", seed(`fake: ¦0 customers`)],
  ["it takes a number of people such as '200 customers', at most 10000", seed(`fake: ¦10001 customers`)],
  ['customers is 10001; it takes a whole number from 1 to 10000', seed(`fake: {customers: ¦10001}`)],
  ['fake is a list; it takes a number of people', seed(`fake: ¦[1]`)],
  ['customers is missing; it takes a whole number', seed(`fake: ¦{paymentMethods: true}`)],
  ["paymentMethods is 'no'; it takes true, false", seed(`fake: {customers: 1, paymentMethods: ¦'no'}`)],

  [`customerId is 'c1'; it takes its CustomerId: ${ID_SHAPE}`, customer(`customerId: ¦c1`)],
  [`it takes its CustomerId: ${ID_SHAPE}`, customer(`customerId: ¦${C1?.toUpperCase()}`)],
  [`${ID_SHAPE}; put it in quotes`, customer(`customerId: ¦${'1'.repeat(32)}`)],
  [
    'customerId is that of customers[0] as well; each takes one of its own',
    seed(`customers: [{customerId: ${C1}}, {customerId: ${C2}}, {customerId: ¦${C1}}]`),
  ],
  [
    'paymentMethodId is that of paymentMethods[0] as well',
    seed(`paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}, {paymentMethodId: ¦${A1}, ${CARD}}]`),
  ],
  [
    'vaultId is that of vault[0] as well',
    seed(
      `vault: [{vaultId: ${E1}, cardNumber: 4111111111111111}, {vaultId: ¦${E1}, cardNumber: 4111111111111111}]`,
    ),
  ],
  [
    'tokenId is that of tokens[0] as well',
    seed(`tokens: [{tokenId: ${E1}, ${CARD}}, {tokenId: ¦${E1}, ${CARD}}]`),
  ],
  [
    'chargeId is that of charges[0] as well',
    seed(`charges: [{chargeId: ${E1}, amount: 1, ${CARD}}, {chargeId: ¦${E1}, amount: 1, ${CARD}}]`),
  ],
  [
    `customerId is '${C2}'; it takes a customerId that stands in the customers of seedData. Did you mean '${C1}'?`,
    seed(`customers: [{customerId: ${C1}}]`, `paymentMethods: [{customerId: ¦${C2}, ${CARD}}]`),
  ],
  [
    `vaultId is '${E1}'; it takes a vaultId that stands in the vault of seedData`,
    method(`vaultId: ¦${E1}, expiryDate: 10/30`),
  ],
  [
    `defaultPaymentMethodId is '${A1}'; it takes a paymentMethodId that stands in the paymentMethods of seedData`,
    customer(`defaultPaymentMethodId: ¦${A1}`),
  ],
  [
    `defaultPaymentMethodId is '${A1}', whose customerId is another; it takes a payment method of this customer`,
    seed(
      `customers: [{customerId: ${C1}}, {customerId: ${C2}, defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, customerId: ${C1}, ${CARD}}]`,
    ),
  ],
  [
    'whose customerId is another',
    seed(
      `customers: [{defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
    ),
  ],
  [
    `paymentMethodId is '${A2}'; it takes a paymentMethodId that stands in the paymentMethods of seedData. Did you mean '${A1}'?`,
    seed(
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
      `charges: [{paymentMethodId: ¦${A2}, amount: 1}]`,
    ),
  ],

  [`cardNumber is missing; it takes the number of a published test card`, whole(entry(`ccv: '123'`))],
  [`cardNumber is no card number; ${TEST_CARD}`, entry(`cardNumber: ¦4111111111111112`)],
  [
    `cardNumber is no card number, of which 12 to 19 digits are taken; ${TEST_CARD}`,
    entry(`cardNumber: ¦41111`),
  ],
  [`cardNumber is no published test card; ${TEST_CARD}`, entry(`cardNumber: ¦4539578763621486`)],
  ['cardNumber is no card number;', token(`expiryDate: 10/30, cardNumber: ¦visa`)],
  ['cardNumber is a list; it takes the number of', entry(`cardNumber: ¦[4]`)],
  [
    "expiryDate is '13/30'; it takes the month and year MM/YY such as 10/30",
    method(`cardNumber: 4111111111111111, expiryDate: ¦13/30`),
  ],
  [
    'expiryDate is 1030; it takes the month and year MM/YY such as 10/30; put it in quotes',
    token(`cardNumber: 4111111111111111, expiryDate: ¦1030`),
  ],
  ['expiryDate is missing; it takes the month and year', whole(method(`cardNumber: 4111111111111111`))],
  ['ccv is no Ccv; it takes three digits, four for American Express, in quotes', visa(`ccv: ¦987`)],
  ['ccv does not fit the card; it takes three digits, four for American Express', visa(`ccv: ¦'9876'`)],
  ['ccv does not fit the card;', token(`cardNumber: 378282246310005, expiryDate: 10/30, ccv: ¦'987'`)],
  [
    "expires is '1h'; it takes a time from the start of the world such as +15m or +7d, or an instant",
    visa(`expires: ¦1h`),
  ],
  ["expires is '2026-02-30T00:00:00Z'; it takes", visa(`expires: ¦2026-02-30T00:00:00Z`)],
  ['expires is 60; it takes', token(`${CARD}, expires: ¦60`)],
  ["expires is '+36526d'; it takes", visa(`expires: ¦+36526d`)],

  [
    'paymentMethods[0] has no card; it takes cardNumber or vaultId',
    seed(`paymentMethods: [¦{expiryDate: 10/30}]`),
  ],
  [
    'cardNumber stands beside vaultId, whose card it is',
    method(`vaultId: ${E1}, expiryDate: 10/30, cardNumber: ¦4111111111111111`),
  ],
  ["Did you mean 'steady'?", method(`${CARD}, provider: ¦stedy`)],
  [
    'postalCode is 800; it takes a text of 1 to 1024 characters; put it in quotes',
    customer(`address: {postalCode: ¦0800}`),
  ],
  [
    "'line3' is no member of address, which takes line1, line2, city, country, postalCode, state. Did you mean 'line1'?",
    customer(`address: {¦line3: x}`),
  ],
  ['it takes a text of 1 to 1024 characters', customer(`firstName: ¦${'x'.repeat(1025)}`)],
  ['n is 1; it takes a text of 1 to 1024 characters; put it in quotes', customer(`metadata: {n: ¦1}`)],
  ["'constructor' is no name in metadata", customer(`metadata: {¦constructor: x}`)],
  [
    'metadata has more than 50 names, which is the most',
    customer(`metadata: ¦{${Array.from({ length: 51 }, (_, n) => `k${n}: x`).join()}}`),
  ],

  ['amount is missing; it takes an amount in major units such as 15.5', whole(charge(CARD))],
  ["amount is '20 AUD'; it takes an amount in major units", cardCharge(`amount: ¦20 AUD`)],
  ["amount is '0'; it takes an amount above zero", cardCharge(`amount: ¦0`)],
  ["amount is '1.5'; it takes at most 0 decimals of JPY", cardCharge(`amount: ¦1.5, currency: JPY`)],
  ["amount is '1000000000'; it takes at most 999999999.99", cardCharge(`amount: ¦1000000000`)],
  ["amount is '007'; it takes an amount in major units", cardCharge(`amount: ¦'007'`)],
  ["currency is 'AUS'; it takes an ISO 4217 code such as AUD", cardCharge(`amount: 1, currency: ¦AUS`)],
  [
    "status is 'REFUNDED'; it takes SUCCESS, FAILED, PARTIAL_REFUND, REFUND, Authorised, AUTHORISE_CANCELLED. Did you mean 'REFUND'?",
    cardCharge(`amount: 1, status: ¦REFUNDED`),
  ],
  [
    'charges[0] has the status PARTIAL_REFUND; it takes refunded beside it',
    whole(charge(`${CARD}, amount: 1, status: PARTIAL_REFUND`)),
  ],
  [
    'refunded is not less than the amount; a whole refund has the status REFUND',
    cardCharge(`amount: 1, status: PARTIAL_REFUND, refunded: ¦1.00`),
  ],
  [
    "refunded is '0'; it takes an amount above zero",
    cardCharge(`amount: 1, status: PARTIAL_REFUND, refunded: ¦0`),
  ],
  [
    'refunded stands beside the status SUCCESS; PARTIAL_REFUND alone takes it',
    cardCharge(`amount: 1, refunded: ¦0.5`),
  ],
  [
    'outcome stands beside the status SUCCESS; FAILED alone takes it',
    cardCharge(`amount: 1, outcome: ¦lost_card`),
  ],
  [
    'outcome is approve, with which no charge fails',
    cardCharge(`amount: 1, status: FAILED, outcome: ¦approve`),
  ],
  ["Did you mean 'lost_card'?", cardCharge(`amount: 1, status: FAILED, outcome: ¦lost_crad`)],
  [
    'charges[0] has no card; it takes paymentMethodId, or cardNumber and expiryDate',
    whole(charge('amount: 1')),
  ],
  ['charges[0] has no card;', whole(charge('amount: 1, cardNumber: 4111111111111111'))],
  [
    'expiryDate stands beside paymentMethodId, whose it is',
    charge(`amount: 1, paymentMethodId: ${A1}, expiryDate: ¦10/30`),
  ],
  [
    'provider stands beside paymentMethodId, whose it is',
    charge(`amount: 1, paymentMethodId: ${A1}, provider: ¦steady`),
  ],
];

describe('broken seed data', () => {
  test.each(BROKEN)('shown where it stands: %s', (message, marked) => expectShown(marked, message));

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
