import * as z from 'zod';

import { vaultMembers, vaultWishOf } from '../vault/schema.js';
import { paymentInformation } from '../http/card-fields.js';
import {
  optionalAddress,
  optionalFlag,
  optionalInSdk,
  optionalMetadata,
  optionalText,
  providerId,
  text,
} from '../http/fields.js';
import type { Address } from './record.js';
import type { CustomerDetails } from './service.js';

/** What every call says of a customer that it creates. */
export const person = {
  FirstName: optionalText(),
  LastName: optionalText(),
  Reference: optionalText().describe('Your reference.'),
  Email: optionalText(),
  Phone: optionalText(),
  Address: optionalAddress(),
  Ip: optionalText().describe('The payer’s address.'),
  Metadata: optionalMetadata(),
};

const Person = z.object(person);

/** An address as it is kept: whole, so that members which it leaves out are none. */
export function addressOf(address: z.output<ReturnType<typeof optionalAddress>>): Address | null {
  if (address === undefined) return null;
  return {
    line1: address.Line1,
    line2: address.Line2,
    city: address.City,
    country: address.Country,
    postalCode: address.PostalCode,
    state: address.State,
  };
}

export function detailsOf(body: z.output<typeof Person>): CustomerDetails {
  return {
    firstName: body.FirstName,
    lastName: body.LastName,
    reference: body.Reference,
    email: body.Email,
    phone: body.Phone,
    address: addressOf(body.Address),
    ip: body.Ip,
    metadata: body.Metadata,
  };
}

export const CreateFromToken = z
  .object({
    ...person,
    ...vaultMembers,
    FirstName: optionalInSdk(text('"Jo"')),
    LastName: optionalInSdk(text('"Smith"')),
    Reference: optionalInSdk(text('"customer-1"')).describe('Your reference.'),
    Token: text('"tok_approve"').describe('A token of a card; it is spent by its first use.'),
  })
  .transform((body) => ({ token: body.Token, vault: vaultWishOf(body), details: detailsOf(body) }));

export const CreateFromCard = z
  .object({
    ProviderId: providerId(),
    PaymentInformation: paymentInformation(),
    ...person,
    ...vaultMembers,
    SkipExpiryDateValidation: optionalFlag().describe('Takes an expired card as well.'),
  })
  .transform((body) => ({
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: vaultWishOf(body),
    details: detailsOf(body),
  }));
