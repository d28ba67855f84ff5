import { describe, expect, test } from 'vitest';

import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { type BrokenFile, brokenFiles, expectShown } from '../support.js';

const [C1, C2, A1, A2, E1] = ['c1', 'c2', 'a1', 'a2', 'e1'].map((id) => id.padEnd(32, '0'));
const VISA = 'cardNumber: 4111111111111111';
const LISTED = '(`playmoney triggers` lists them)';
const CARD = `${VISA}, expiryDate: 10/30`;

const seed = (...lines: string[]): string => `name: a\nseedData:\n  ${lines.join('\n  ')}\n`;
const customer = (text: string): string => seed(`customers: [{${text}}]`);
const method = (text: string): string => seed(`paymentMethods: [{${text}}]`);
const entry = (text: string): string => seed(`vault: [{${text}}]`);
/** A vault entry of a published card. */
const visa = (text: string): string => entry(`${VISA}, ${text}`);
const token = (text: string): string => seed(`tokens: [{${text}}]`);
const charge = (text: string): string => seed(`charges: [{${text}}]`);
const cardCharge = (text: string): string => charge(`${CARD}, ${text}`);

const BROKEN: readonly BrokenFile[] = [
  ...brokenFiles(String)`
    name: a\nseedData: ¦[]\n → seedData must be an object with the fields fake, customers, paymentMethods, vault, tokens, charges, not a list
  `,
  ...brokenFiles(seed)`
    ¦custmers: [] → "custmers" is not a field of seedData. Fields: fake, customers, paymentMethods, vault, tokens, charges. Did you mean customers?
    vault: ¦{} → vault must be a list of vault entries, not an object
    customers: [¦Ada] → customers[0] must be an object with the fields customerId, reference, firstName, lastName, email, phone,
    customers: ¦[${'{},'.repeat(1001)}] → customers must have at most 1000 items
    fake: ¦200 → fake must be a number of customers such as "200 customers", at most 10000, not 200
    fake: ¦200 charges → fake must be a number of customers such as "200 customers", at most 10000, not "200 charges"
    fake: ¦0 customers → fake must be a number of customers such as "200 customers", at most 10000, not "0 customers"
    fake: ¦10001 customers → fake must be a number of customers such as "200 customers", at most 10000, not "10001 customers"
    fake: {customers: ¦10001} → customers must be a whole number from 1 to 10000, not 10001
    fake: ¦[1] → fake must be a number of customers such as "200 customers", at most 10000, or {customers, paymentMethods}, not a list
    fake: ¦{paymentMethods: true} → customers is required: a whole number from 1 to 10000
    fake: {customers: 1, paymentMethods: ¦'no'} → paymentMethods must be true or false, not "no"
    customers: [{customerId: ${C1}}, {customerId: ${C2}}, {customerId: ¦${C1}}] → customerId is already used by customers[0]; choose another one
    paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}, {paymentMethodId: ¦${A1}, ${CARD}}] → paymentMethodId is already used by paymentMethods[0]; choose another one
    vault: [{vaultId: ${E1}, cardNumber: 4111111111111111}, {vaultId: ¦${E1}, cardNumber: 4111111111111111}] → vaultId is already used by vault[0]; choose another one
    tokens: [{tokenId: ${E1}, ${CARD}}, {tokenId: ¦${E1}, ${CARD}}] → tokenId is already used by tokens[0]; choose another one
    charges: [{chargeId: ${E1}, amount: 1, ${CARD}}, {chargeId: ¦${E1}, amount: 1, ${CARD}}] → chargeId is already used by charges[0]; choose another one
    vault: [¦{ccv: '123'}] → cardNumber is required: a published test card such as 4111111111111111 ${LISTED}
    paymentMethods: [¦{cardNumber: 4111111111111111}] → expiryDate is required: a month and year such as 10/30
    charges: [¦{${CARD}, amount: 1, status: PARTIAL_REFUND}] → charges[0] must have refunded, because its status is PARTIAL_REFUND
    charges: [¦{${CARD}}] → amount is required: an amount in major units such as 15.5
    charges: [¦{amount: 1}] → charges[0] must have paymentMethodId, or cardNumber and expiryDate
    charges: [¦{amount: 1, cardNumber: 4111111111111111}] → charges[0] must have paymentMethodId, or cardNumber and expiryDate
    paymentMethods: [¦{expiryDate: 10/30}] → paymentMethods[0] must have cardNumber or vaultId
  `,
  ...brokenFiles(customer)`
    ¦fristName: Ada → "fristName" is not a field of customers[0]. Fields: customerId, reference, firstName, lastName, email, phone,
    customerId: ¦c1 → customerId must be 32 hexadecimal digits in lower case, not "c1"
    customerId: ¦${C1?.toUpperCase()} → customerId must be 32 hexadecimal digits in lower case, not "C1000000000000000000000000000000"
    customerId: ¦${'1'.repeat(32)} → customerId must be 32 hexadecimal digits in lower case, not 1.1111111111111112e+31; put it in quotes
    defaultPaymentMethodId: ¦${A1} → defaultPaymentMethodId must be the paymentMethodId of a record in seedData.paymentMethods, not "${A1}"
    address: {postalCode: ¦0800} → postalCode must be a string of 1 to 1024 characters, not 800; put it in quotes
    address: {¦line3: x} → "line3" is not a field of address. Fields: line1, line2, city, country, postalCode, state. Did you mean line1?
    firstName: ¦${'x'.repeat(1025)} → firstName must be a string of 1 to 1024 characters, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    metadata: {n: ¦1} → n must be a string of 1 to 1024 characters, not 1; put it in quotes
    metadata: {¦constructor: x} → "constructor" is not a valid name in metadata; use 1 to 1024 characters, but not __proto__, constructor or prototype
    metadata: ¦{${Array.from({ length: 51 }, (_, n) => `k${n}: x`).join()}} → metadata must have at most 50 names
  `,
  ...brokenFiles(method)`
    vaultId: ¦${E1}, expiryDate: 10/30 → vaultId must be the vaultId of a record in seedData.vault, not "${E1}"
    cardNumber: 4111111111111111, expiryDate: ¦13/30 → expiryDate must be a month and year such as 10/30, not "13/30"
    vaultId: ${E1}, expiryDate: 10/30, cardNumber: ¦4111111111111111 → cardNumber cannot be combined with vaultId, which has its own card
    ${CARD}, provider: ¦stedy → Did you mean steady?
  `,
  ...brokenFiles(entry)`
    cardNumber: ¦4111111111111112 → cardNumber is not a valid card number; use a published test card such as 4111111111111111 ${LISTED}
    cardNumber: ¦41111 → cardNumber must have 12 to 19 digits; use a published test card such as 4111111111111111 ${LISTED}
    cardNumber: ¦4539578763621486 → cardNumber is not a published test card; use one such as 4111111111111111 ${LISTED}
    cardNumber: ¦[4] → cardNumber must be a published test card such as 4111111111111111 ${LISTED}, not a list
  `,
  ...brokenFiles(token)`
    expiryDate: 10/30, cardNumber: ¦visa → cardNumber is not a valid card number; use a published test card such as 4111111111111111 ${LISTED}
    cardNumber: 4111111111111111, expiryDate: ¦1030 → expiryDate must be a month and year such as 10/30, not 1030; put it in quotes
    cardNumber: 378282246310005, expiryDate: 10/30, ccv: ¦'987' → ccv does not fit the card;
    ${CARD}, expires: ¦60 → expires must be a time since the start of the world such as +15m or +7d, or a date-time such as "2026-02-01T00:00:00Z", not 60
  `,
  ...brokenFiles(visa)`
    ccv: ¦987 → ccv must be three digits in quotes, or four for American Express
    ccv: ¦'9876' → ccv does not fit the card; it must be three digits in quotes, or four for American Express
    expires: ¦1h → expires must be a time since the start of the world such as +15m or +7d, or a date-time such as "2026-02-01T00:00:00Z", not "1h"
    expires: ¦2026-02-30T00:00:00Z → expires must be a time since the start of the world such as +15m or +7d, or a date-time such as "2026-02-01T00:00:00Z", not "2026-02-30T00:00:00Z"
    expires: ¦+36526d → expires must be a time since the start of the world such as +15m or +7d, or a date-time such as "2026-02-01T00:00:00Z", not "+36526d"
  `,
  ...brokenFiles(cardCharge)`
    amount: ¦20 AUD → amount must be an amount in major units such as 15.5, not "20 AUD"
    amount: ¦0 → amount must be greater than 0, not "0"
    amount: ¦1.5, currency: JPY → amount must be a whole number of JPY, not "1.5"
    amount: ¦1000000000 → amount must be at most 999999999.99, not "1000000000"
    amount: ¦'007' → amount must be an amount in major units such as 15.5, not "007"
    amount: 1, currency: ¦AUS → currency must be an ISO 4217 code such as AUD, not "AUS"
    amount: 1, status: ¦REFUNDED → status must be SUCCESS, FAILED, PARTIAL_REFUND, REFUND, Authorised or AUTHORISE_CANCELLED, not "REFUNDED". Did you mean REFUND?
    amount: 1, status: PARTIAL_REFUND, refunded: ¦1.00 → refunded must be less than the amount; for a full refund use the status REFUND
    amount: 1, status: PARTIAL_REFUND, refunded: ¦0 → refunded must be greater than 0, not "0"
    amount: 1, refunded: ¦0.5 → refunded is only allowed with the status PARTIAL_REFUND, not SUCCESS
    amount: 1, outcome: ¦lost_card → outcome is only allowed with the status FAILED, not SUCCESS
    amount: 1, status: FAILED, outcome: ¦approve → outcome must be a decline, not approve, because the status is FAILED
    amount: 1, status: FAILED, outcome: ¦lost_crad → Did you mean lost_card?
  `,
  ...brokenFiles(charge)`
    amount: 1, paymentMethodId: ${A1}, expiryDate: ¦10/30 → expiryDate cannot be combined with paymentMethodId, which has its own
    amount: 1, paymentMethodId: ${A1}, provider: ¦steady → provider cannot be combined with paymentMethodId, which has its own
  `,
  [
    `customerId must be the customerId of a record in seedData.customers, not "${C2}". Did you mean ${C1}?`,
    seed(`customers: [{customerId: ${C1}}]`, `paymentMethods: [{customerId: ¦${C2}, ${CARD}}]`),
  ],
  [
    `defaultPaymentMethodId must be a payment method with the customerId of this customer, not "${A1}"`,
    seed(
      `customers: [{customerId: ${C1}}, {customerId: ${C2}, defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, customerId: ${C1}, ${CARD}}]`,
    ),
  ],
  [
    `defaultPaymentMethodId must be a payment method with the customerId of this customer, not "${A1}"`,
    seed(
      `customers: [{defaultPaymentMethodId: ¦${A1}}]`,
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
    ),
  ],
  [
    `paymentMethodId must be the paymentMethodId of a record in seedData.paymentMethods, not "${A2}". Did you mean ${A1}?`,
    seed(
      `paymentMethods: [{paymentMethodId: ${A1}, ${CARD}}]`,
      `charges: [{paymentMethodId: ¦${A2}, amount: 1}]`,
    ),
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
