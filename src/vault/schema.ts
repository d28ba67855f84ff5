import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { ccvMisfits, ccvRefused, optionalCcv, pan } from '../http/card-fields.js';
import { optionalFlag, optionalInstant, optionalSeconds } from '../http/fields.js';
import type { VaultWish } from './service.js';

export const CreateEntry = z
  .object({
    CardNumber: pan(),
    Ccv: optionalCcv(),
    ExpireSeconds: optionalSeconds(CODE.InvalidExpireDateOrExpireSeconds),
    ExpireDate: optionalInstant(CODE.InvalidExpireDateOrExpireSeconds),
  })
  .transform((body, context) => {
    if (ccvMisfits(body.CardNumber, body.Ccv)) return ccvRefused(context);
    const expiry = { seconds: body.ExpireSeconds, instant: body.ExpireDate };
    return { pan: body.CardNumber, ccv: body.Ccv, expiry };
  });

/** The members with which a call that stores a card elsewhere also puts it into the vault. */
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
