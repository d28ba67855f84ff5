import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import {
  agreementFields,
  toAgreement,
  bankPaymentInformation,
  providerTokenFields,
} from '../../http/fields/source-fields.js';
import { paymentInformationField } from '../../http/fields/card-fields.js';
import { type FieldsOutput, toCamelCase, requestSchema, optionalInSdk } from '../../http/fields/field.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import {
  dateFields,
  toListing,
  optionalQueryFlag,
  pageFields,
  sortOrder,
} from '../../http/fields/list-fields.js';
import { PaymentMethodResponse, PaymentMethodSummary } from '../payment-methods/schema.js';
import { vaultFields, toVaultRequest } from '../vault/schema.js';
import type { CustomerChange, CustomerDetails } from './service.js';

const personFields = () => ({
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
  Reference: fields.optionalText().describe('Your reference.'),
  Email: fields.optionalText(),
  Phone: fields.optionalText(),
  Address: fields.optionalAddress(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
  Metadata: optionalMetadata(),
});

function readPerson(body: FieldsOutput<typeof personFields>): CustomerDetails {
  return {
    firstName: body.FirstName,
    lastName: body.LastName,
    reference: body.Reference,
    email: body.Email,
    phone: body.Phone,
    address: fields.readAddress(body.Address),
    ip: body.Ip,
    metadata: body.Metadata,
  };
}

export const CreateFromCard = requestSchema(
  () => ({
    ProviderId: fields.requiredProviderId(),
    PaymentInformation: paymentInformationField(),
    ...personFields(),
    ...vaultFields(),
    SkipExpiryDateValidation: fields.optionalFlag().describe('Whether to accept an expired card.'),
  }),
  (body) => ({
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: toVaultRequest(body),
    details: readPerson(body),
  }),
);

export const CreateFromToken = requestSchema(
  () => ({
    ...personFields(),
    ...vaultFields(),
    FirstName: optionalInSdk(fields.requiredText('"Jo"')),
    LastName: optionalInSdk(fields.requiredText('"Smith"')),
    Reference: optionalInSdk(fields.requiredText('"customer-1"')).describe('Your reference.'),
    Token: fields
      .requiredText('"tok_approve"')
      .describe('A single-use token of a card or PayTo agreement, or a magic token.'),
  }),
  (body) => ({ token: body.Token, vault: toVaultRequest(body), details: readPerson(body) }),
);

export const CreateFromBankAccount = requestSchema(
  () => ({
    ProviderId: fields.requiredProviderId(),
    BankPaymentInformation: bankPaymentInformation(),
    ...personFields(),
  }),
  (body) => ({
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    details: readPerson(body),
  }),
);

export const CreateFromPayTo = requestSchema(
  () => ({
    PayToAgreement: z
      .object({ ProviderId: fields.requiredProviderId(), ...agreementFields() })
      .describe('The agreement that the payer is asked to approve.'),
    ...personFields(),
  }),
  (body) => ({
    providerId: body.PayToAgreement.ProviderId,
    agreement: toAgreement(body.PayToAgreement),
    details: readPerson(body),
  }),
);

const customerFromProviderToken = (singleUse: boolean) =>
  z.object({ ...providerTokenFields(), ...personFields() }).transform((body) => ({
    providerId: body.ProviderId,
    // The IP address is the customer's.
    origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: null },
    details: readPerson(body),
  }));

export const CreateFromProviderToken = z.lazy(() => customerFromProviderToken(false));
export const CreateFromSingleUseToken = z.lazy(() => customerFromProviderToken(true));

/** The fields that can be changed. A field that is left out stays unchanged. */
export const UpdateCustomer = requestSchema(
  () => ({
    Reference: fields.optionalText().describe('Your reference.'),
    FirstName: fields.optionalText(),
    LastName: fields.optionalText(),
    Email: fields.optionalText(),
    Phone: fields.optionalText(),
    Address: fields.optionalAddress(),
    DefaultPaymentMethodId: fields
      .optionalText()
      .describe('The identifier of one of the customer’s payment methods.'),
  }),
  ({ Address, ...body }): CustomerChange => ({ ...toCamelCase(body), address: fields.readAddress(Address) }),
);

export const SearchCustomers = requestSchema(
  () => ({
    Reference: fields.optionalText().describe('Only with exactly this reference.'),
    Email: fields
      .optionalText()
      .meta({ description: 'Only customers with this e-mail address.', specified: 'email' }),
    Name: fields
      .optionalText()
      .meta({ description: 'A part of the first and last name, in any letter case.', specified: 'name' }),
    Search: fields.optionalText().describe('A part of any name, address or reference.'),
    CustomerId: fields.optionalText().describe('Only records of this customer.'),
    PaymentMethodId: fields.optionalText().describe('Only records of this payment method.'),
    IncludeRemoved: optionalQueryFlag().describe('Whether to return removed customers too.'),
    ...dateFields(),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  }),
  toListing,
);

export const CustomerResponse = answers.component('Customer', () => ({
  CustomerId: answers.id(),
  Reference: answers.text(),
  FirstName: answers.text(),
  LastName: answers.text(),
  Email: answers.text().describe('The value is "deleted" once the customer is removed.'),
  Phone: answers.text(),
  Address: answers.PostalAddress.nullable(),
  Ip: answers.text(),
  DateAdded: answers.instant(),
  DateRemoved: answers.maybeInstant(),
  DefaultPaymentMethod: PaymentMethodSummary.nullable(),
  Metadata: answers.metadata(),
}));
export type CustomerResponse = z.output<typeof CustomerResponse>;

export const CustomerMethods = z.lazy(() => z.array(PaymentMethodResponse));
