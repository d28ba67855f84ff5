import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { ccvMisfits, ccvRefused, optionalCcv, pan } from '../http/card-fields.js';
import { optionalFlag, optionalInstant, optionalSeconds } from '../http/fields.js';
import type { VaultWish } from './service.js';

export const CreateEntry = z
  .object({
    CardNumber: pan(),
    Ccv: optionalCcv(),
    ExpireSeconds: optionalSeconds(CODE.InvalidExpireDateOrExpireSeconds).describe(
      'After how many seconds the entry is gone; not beside ExpireDate.',
    ),
    ExpireDate: optionalInstant(CODE.InvalidExpireDateOrExpireSeconds).describe(
      'When the entry is gone; not beside ExpireSeconds.',
    ),
  })
  .transform((body, context) => {
    if (ccvMisfits(body.CardNumber, body.Ccv)) return ccvRefused(context);
    const expiry = { seconds: body.ExpireSeconds, instant: body.ExpireDate };
    return { pan: body.CardNumber, ccv: body.Ccv, expiry };
  });

/** The members with which a call that stores a card elsewhere also puts it into the vault. */
export const vaultMembers = {
  VaultCard: optionalFlag().describe('Also puts the card into the vault.'),
  VaultExpireSeconds: optionalSeconds(CODE.InvalidVaultExpiryDate).describe(
    'After how many seconds the vault entry is gone.',
  ),
  VaultExpireDate: optionalInstant(CODE.InvalidVaultExpiryDate).describe(
    'When the vault entry is gone; not beside VaultExpireSeconds.',
  ),
};

const Vault = z.object(vaultMembers);

export function vaultWishOf(body: z.output<typeof Vault>): VaultWish {
  return {
    wanted: body.VaultCard ?? false,
    expiry: { seconds: body.VaultExpireSeconds, instant: body.VaultExpireDate },
  };
}
