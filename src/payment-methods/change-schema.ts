import * as z from 'zod';

import { vaultMembers, vaultWishOf } from '../vault/schema.js';
import { optionalCardholder, optionalExpiry } from '../http/card-fields.js';
import { optionalMetadata, optionalText, setDefault, text } from '../http/fields.js';
import type { MethodChange } from './changes.js';

/** The members of every call that stores the card behind a token as a payment method. */
export const tokenMembers = {
  Token: text('"tok_approve"').describe('A token of a card; it is spent by its first use.'),
  ...vaultMembers,
  // Means something for the method of a customer; a method that stands alone is nobody's default.
  SetDefault: setDefault(),
  Metadata: optionalMetadata(),
  Ip: optionalText().describe('The payer’s address.'),
};

const FromToken = z.object(tokenMembers);

export function tokenCommandOf(body: z.output<typeof FromToken>) {
  return { token: body.Token, vault: vaultWishOf(body), metadata: body.Metadata };
}

export const CreateFromToken = FromToken.transform(tokenCommandOf);

/** What may be changed; a member that is left out stays as it is. */
export const UpdateMethod = z
  .object({
    Card: z
      .object({ ExpiryDate: optionalExpiry(), Cardholder: optionalCardholder() })
      .optional()
      .describe('What changes of the card.'),
  })
  .transform(({ Card }): MethodChange => ({
    expiry: Card?.ExpiryDate ?? null,
    cardholder: Card?.Cardholder ?? null,
  }));
