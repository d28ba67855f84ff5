import * as z from 'zod';

import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import * as f from '../file/field.js';
import { orNull, refuseTogether, mustBe } from '../file/field.js';
import type { ProviderNames } from '../file/provider-names.js';
import { chargeField } from './seed-charges.js';
import {
  Cardholder,
  CardNumber,
  Ccv,
  ExpiryDate,
  Expires,
  seedId,
  Metadata,
  requireSchemeCcv,
  seedText,
} from './seed-fields.js';
import { providerField } from '../file/when.js';

/** How many records of a kind a file can have: our own limit. */
export const SEED_RECORDS_MAX = 1000;
/** How many customers can be invented: our own limit. */
export const FAKE_CUSTOMERS_MAX = 10_000;

const FAKE_ACCEPTED = `a number of customers such as "200 customers", at most ${FAKE_CUSTOMERS_MAX}`;

const FakeText = f
  .encodedText(z.number(), FAKE_ACCEPTED, {
    read: (given) => {
      const customers = Number(/^(\d{1,9}) customers?$/.exec(given)?.[1] ?? 0);
      return customers >= 1 && customers <= FAKE_CUSTOMERS_MAX ? customers : undefined;
    },
    write: (customers) => `${customers} customers`,
  })
  .meta({ pattern: '^\\d+ customers?$', examples: ['200 customers'] });

const FakeObject = f.object({
  customers: f.whole(1, FAKE_CUSTOMERS_MAX).describe('how many people'),
  paymentMethods: f
    .choice([true, false])
    .describe('whether each has a card as its payment method')
    .default(true),
});

export type FakeCustomers = Readonly<z.output<typeof FakeObject>>;

const Fake = z.codec(
  z.union([FakeText, FakeObject], mustBe(`${FAKE_ACCEPTED}, or {customers, paymentMethods}`)),
  z.custom<FakeCustomers>(),
  {
    decode: (given) => (typeof given === 'number' ? { customers: given, paymentMethods: true } : given),
    encode: (fake) => (fake.paymentMethods ? fake.customers : fake),
  },
);

const Address = f.object({
  line1: seedText('street and number'),
  line2: seedText('what else the street needs'),
  city: seedText('the city'),
  country: seedText('the country'),
  postalCode: seedText('the postal code, in quotes'),
  state: seedText('the state'),
});

const Customer = f.object({
  customerId: seedId('its CustomerId'),
  reference: seedText('its Reference'),
  firstName: seedText('the first name'),
  lastName: seedText('the last name'),
  email: seedText('the e-mail address'),
  phone: seedText('the phone number, in quotes'),
  address: orNull(Address),
  ip: seedText('the address it came from'),
  metadata: Metadata,
  defaultPaymentMethodId: seedId('one of its payment methods'),
});

const methodField = (names: ProviderNames) =>
  f
    .object({
      paymentMethodId: seedId('its PaymentMethodId'),
      customerId: seedId('the customer it belongs to'),
      provider: providerField(names).default(DEFAULT_PROVIDER_ID),
      vaultId: seedId('the vault entry that holds its card'),
      cardNumber: orNull(CardNumber),
      expiryDate: ExpiryDate,
      cardholder: Cardholder,
      metadata: Metadata,
    })
    .superRefine(({ vaultId, cardNumber }, context) => {
      if (vaultId !== null && cardNumber !== null) {
        refuseTogether(context, 'cannot be combined with vaultId, which has its own card', 'cardNumber');
      }
      if (vaultId === null && cardNumber === null) refuseTogether(context, 'must have cardNumber or vaultId');
    });

const Entry = f
  .object({ vaultId: seedId('its VaultId'), cardNumber: CardNumber, ccv: Ccv, expires: Expires })
  .superRefine(requireSchemeCcv);

const tokenField = (names: ProviderNames) =>
  f
    .object({
      tokenId: seedId('its TokenId'),
      provider: providerField(names).default(DEFAULT_PROVIDER_ID),
      cardNumber: CardNumber,
      expiryDate: ExpiryDate,
      ccv: Ccv,
      cardholder: Cardholder,
      expires: Expires,
    })
    .superRefine(requireSchemeCcv);

const recordList = <S extends z.ZodType>(record: S, what: string) =>
  f.list(record, `a list of ${what}`, SEED_RECORDS_MAX).default([]);

/** Records refer to each other by the identifiers in the file; `requireReferences` checks them. */
export const seedDataField = (names: ProviderNames) =>
  f.object({
    fake: orNull(Fake),
    customers: recordList(Customer, 'customers'),
    paymentMethods: recordList(methodField(names), 'payment methods'),
    vault: recordList(Entry, 'vault entries'),
    tokens: recordList(tokenField(names), 'tokens'),
    charges: recordList(chargeField(names), 'charges'),
  });

export type SeedRecords = Readonly<z.output<ReturnType<typeof seedDataField>>>;
export type SeedMethod = SeedRecords['paymentMethods'][number];
export type SeedVaultEntry = SeedRecords['vault'][number];
export type SeedToken = SeedRecords['tokens'][number];
