import * as z from 'zod';

import { vaultMembers, vaultWishOf } from '../vault/schema.js';
import { paymentInformation } from '../http/card-fields.js';
import { optionalFlag, optionalMetadata, optionalText, providerId } from '../http/fields.js';

/** The members of every call that stores a card as a payment method. */
export const cardMembers = {
  ProviderId: providerId(),
  PaymentInformation: paymentInformation(),
  ...vaultMembers,
  SkipExpiryDateValidation: optionalFlag().describe('Takes an expired card as well.'),
  Metadata: optionalMetadata(),
  Ip: optionalText().describe('The payer’s address.'),
};

const FromCard = z.object(cardMembers);

export function cardCommandOf(body: z.output<typeof FromCard>) {
  return {
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: vaultWishOf(body),
    metadata: body.Metadata,
  };
}

export const CreateFromCard = FromCard.transform(cardCommandOf);
