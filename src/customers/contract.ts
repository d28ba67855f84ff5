import * as z from 'zod';

import { vaultMembers, vaultWishOf } from '../payment-methods/contract.js';
import { paymentInformation } from '../wire/card-fields.js';
import {
  optionalAddress,
  optionalFlag,
  optionalMetadata,
  optionalText,
  providerId,
  text,
} from '../wire/fields.js';
import { optionalQueryInstant, pageMembers, sortOrder } from '../wire/list-fields.js';
import type { CustomerFilter } from './search.js';
import type { CustomerDetails } from './service.js';

const common = {
  Email: optionalText(),
  Phone: optionalText(),
  Address: optionalAddress(),
  Ip: optionalText(),
  Metadata: optionalMetadata(),
  ...vaultMembers,
};

const Named = z.object({
  FirstName: optionalText(),
  LastName: optionalText(),
  Reference: optionalText(),
  ...common,
});

function detailsOf(body: z.output<typeof Named>): CustomerDetails {
  const { Address: address } = body;
  return {
    firstName: body.FirstName,
    lastName: body.LastName,
    reference: body.Reference,
    email: body.Email,
    phone: body.Phone,
    address: address
      ? {
          line1: address.Line1,
          line2: address.Line2,
          city: address.City,
          country: address.Country,
          postalCode: address.PostalCode,
          state: address.State,
        }
      : null,
    ip: body.Ip,
    metadata: body.Metadata,
  };
}

export const CreateFromToken = z
  .object({
    FirstName: text('"Jo"'),
    LastName: text('"Smith"'),
    Reference: text('"customer-1"'),
    Token: text('"tok_approve"'),
    ...common,
  })
  .transform((body) => ({ token: body.Token, vault: vaultWishOf(body), details: detailsOf(body) }));

export const CreateFromCard = z
  .object({
    ProviderId: providerId(),
    PaymentInformation: paymentInformation(),
    ...Named.shape,
    SkipExpiryDateValidation: optionalFlag(),
  })
  .transform((body) => ({
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: vaultWishOf(body),
    details: detailsOf(body),
  }));

export const SearchCustomers = z
  .object({
    Reference: optionalText(),
    Email: optionalText(),
    Name: optionalText(),
    Search: optionalText(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
    SortBy: sortOrder('Date'),
  })
  .transform((asked): CustomerFilter => ({
    reference: asked.Reference,
    email: asked.Email,
    name: asked.Name,
    search: asked.Search,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
