import * as z from 'zod';

import { tokenCommandOf, tokenMembers } from '../payment-methods/change-schema.js';
import { cardCommandOf, cardMembers } from '../payment-methods/schema.js';
import { optionalAddress, optionalText, setDefault } from '../http/fields.js';
import { addressOf } from './schema.js';
import type { CustomerChange } from './changes.js';

/** What may be changed; a member that is left out stays as it is. */
export const UpdateCustomer = z
  .object({
    Reference: optionalText().describe('Your reference.'),
    FirstName: optionalText(),
    LastName: optionalText(),
    Email: optionalText(),
    Phone: optionalText(),
    Address: optionalAddress(),
    DefaultPaymentMethodId: optionalText().describe('One of the customer’s payment methods.'),
  })
  .transform((body): CustomerChange => ({
    reference: body.Reference,
    firstName: body.FirstName,
    lastName: body.LastName,
    email: body.Email,
    phone: body.Phone,
    address: addressOf(body.Address),
    defaultMethodId: body.DefaultPaymentMethodId,
  }));

export const AddCard = z
  .object({ ...cardMembers, SetDefault: setDefault() })
  .transform((body) => ({ ...cardCommandOf(body), setDefault: body.SetDefault ?? false }));

export const AddToken = z
  .object(tokenMembers)
  .transform((body) => ({ ...tokenCommandOf(body), setDefault: body.SetDefault ?? false }));
