import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { paymentInformation } from '../wire/card-fields.js';
import {
  optionalFlag,
  optionalInstant,
  optionalMetadata,
  optionalSeconds,
  optionalText,
  providerId,
} from '../wire/fields.js';
import type { VaultWish } from './service.js';

/** The members with which a call that stores a card also puts it into the vault. */
export const vaultMembers = {
  VaultCard: optionalFlag(),
  VaultExpireSeconds: optionalSeconds(CODE.InvalidVaultExpiryDate),
  VaultExpireDate: optionalInstant(CODE.InvalidVaultExpiryDate),
};

const Vault = z.object(vaultMembers);

export function vaultWishOf(body: z.output<typeof Vault>): VaultWish {
  return {
    wanted: body.VaultCard ?? false,
    expiry: { seconds: body.VaultExpireSeconds, instant: body.VaultExpireDate },
  };
}

/** The members of every call that stores a card as a payment method. */
export const cardMembers = {
  ProviderId: providerId(),
  PaymentInformation: paymentInformation(),
  ...vaultMembers,
  SkipExpiryDateValidation: optionalFlag(),
  Metadata: optionalMetadata(),
  Ip: optionalText(),
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
