import * as z from 'zod';

import * as m from './members.js';
import { refused } from './members.js';
import type { ProviderNames } from './provider-names.js';
import { chargeMember } from './seed-charges.js';
import {
  Cardholder,
  CardNumber,
  Ccv,
  ccvOf,
  ExpiryDate,
  Expires,
  Fake,
  id,
  Metadata,
  providerIdOf,
  text,
} from './seed-members.js';
import type { SeedCustomer, SeedData, SeedEntry, SeedMethod, SeedToken } from './seed-model.js';
import { looseEnds } from './seed-references.js';
import { refuseTogether } from './then.js';
import { providerMember } from './when.js';

/** What a world begins with, as it is written in a scenario file. */

/** How many records of a kind a file brings along at most: our own limit. */
export const SEED_RECORDS_MAX = 1000;

const Address = m
  .object({
    line1: text('street and number'),
    line2: text('what else the street needs'),
    city: text('the city'),
    country: text('the country'),
    postalCode: text('the postal code, in quotes'),
    state: text('the state'),
  })
  .transform(({ line1, line2, city, country, postalCode, state }) => ({
    line1: line1 ?? null,
    line2: line2 ?? null,
    city: city ?? null,
    country: country ?? null,
    postalCode: postalCode ?? null,
    state: state ?? null,
  }));

const CustomerMember = m
  .object({
    customerId: id('its CustomerId').optional(),
    reference: text('its Reference'),
    firstName: text('the first name'),
    lastName: text('the last name'),
    email: text('the e-mail address'),
    phone: text('the phone number, in quotes'),
    address: Address.optional(),
    ip: text('the address it came from'),
    metadata: Metadata,
    defaultPaymentMethodId: id('one of its payment methods').optional(),
  })
  .transform((given): SeedCustomer => ({
    customerId: given.customerId ?? null,
    reference: given.reference ?? null,
    firstName: given.firstName ?? null,
    lastName: given.lastName ?? null,
    email: given.email ?? null,
    phone: given.phone ?? null,
    address: given.address ?? null,
    ip: given.ip ?? null,
    metadata: given.metadata ?? null,
    defaultPaymentMethodId: given.defaultPaymentMethodId ?? null,
  }));

const methodMember = (names: ProviderNames) =>
  m
    .object({
      paymentMethodId: id('its PaymentMethodId').optional(),
      customerId: id('the customer it belongs to').optional(),
      provider: providerMember(names).optional(),
      vaultId: id('the vault entry that holds its card').optional(),
      cardNumber: CardNumber.optional(),
      expiryDate: ExpiryDate,
      cardholder: Cardholder,
      metadata: Metadata,
    })
    .transform((given, context): SeedMethod => {
      const { vaultId, cardNumber } = given;
      if (vaultId !== undefined && cardNumber !== undefined) {
        return refuseTogether(context, 'stands beside vaultId, whose card it is', 'cardNumber');
      }
      if (vaultId === undefined && cardNumber === undefined) {
        return refuseTogether(context, 'has no card; it takes cardNumber or vaultId');
      }
      return {
        paymentMethodId: given.paymentMethodId ?? null,
        customerId: given.customerId ?? null,
        providerId: providerIdOf(given.provider),
        vaultId: vaultId ?? null,
        pan: cardNumber ?? null,
        expiry: given.expiryDate,
        cardholder: given.cardholder ?? null,
        metadata: given.metadata ?? null,
      };
    });

const EntryMember = m
  .object({
    vaultId: id('its VaultId').optional(),
    cardNumber: CardNumber,
    ccv: Ccv,
    expires: Expires,
  })
  .transform((given, context): SeedEntry => ({
    vaultId: given.vaultId ?? null,
    pan: given.cardNumber,
    ccv: ccvOf(given.ccv, given.cardNumber, context),
    end: given.expires ?? null,
  }));

const tokenMember = (names: ProviderNames) =>
  m
    .object({
      tokenId: id('its TokenId').optional(),
      provider: providerMember(names).optional(),
      cardNumber: CardNumber,
      expiryDate: ExpiryDate,
      ccv: Ccv,
      cardholder: Cardholder,
      expires: Expires,
    })
    .transform((given, context): SeedToken => ({
      tokenId: given.tokenId ?? null,
      providerId: providerIdOf(given.provider),
      pan: given.cardNumber,
      expiry: given.expiryDate,
      ccv: ccvOf(given.ccv, given.cardNumber, context),
      cardholder: given.cardholder ?? null,
      end: given.expires ?? null,
    }));

const records = <T>(one: z.ZodType<T>, what: string) =>
  z
    .array(one, { error: (issue) => refused(issue.input, `a list of ${what}`).message })
    .max(SEED_RECORDS_MAX, { error: `is a list of more than ${SEED_RECORDS_MAX}, which is the most` })
    .optional();

/** The records that a world begins with; their cards may be of these providers. */
export const seedDataMember = (names: ProviderNames) =>
  m
    .object({
      fake: Fake.optional(),
      customers: records(CustomerMember, 'customers'),
      paymentMethods: records(methodMember(names), 'payment methods'),
      vault: records(EntryMember, 'vault entries'),
      tokens: records(tokenMember(names), 'tokens'),
      charges: records(chargeMember(names), 'charges'),
    })
    .transform((given, context): SeedData => {
      const data: SeedData = {
        fake: given.fake ?? null,
        customers: given.customers ?? [],
        paymentMethods: given.paymentMethods ?? [],
        vault: given.vault ?? [],
        tokens: given.tokens ?? [],
        charges: given.charges ?? [],
      };
      for (const end of looseEnds(data)) context.issues.push({ code: 'custom', ...end });
      return data;
    });
