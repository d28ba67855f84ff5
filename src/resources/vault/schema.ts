import * as z from 'zod';

import { CODE } from '../../core/errors.js';
import * as answers from '../../http/answers/answers.js';
import { type FieldValues, request } from '../../http/fields/field.js';
import { ccvMisfits, ccvRefused, optionalCcv, pan } from '../../http/fields/card-fields.js';
import { optionalFlag, optionalInstant, optionalSeconds } from '../../http/fields/fields.js';
import type { VaultWish } from './service.js';

const secondsUntilGone = (what: string, other: string, code: number) =>
  optionalSeconds(code).meta({
    description: `The number of seconds after which the ${what} expires. Never both this and ${other}.`,
    neverWith: other,
  });

const instantWhenGone = (what: string, other: string, code: number) =>
  optionalInstant(code).meta({
    description: `When the ${what} expires. Never both this and ${other}.`,
    'x-server-checks': 'It must be in the future by the world’s clock.',
  });

export const CreateEntry = request(
  () => ({
    CardNumber: pan(),
    Ccv: optionalCcv(),
    ExpireSeconds: secondsUntilGone('entry', 'ExpireDate', CODE.InvalidExpireDateOrExpireSeconds),
    ExpireDate: instantWhenGone('entry', 'ExpireSeconds', CODE.InvalidExpireDateOrExpireSeconds),
  }),
  (body, context) => {
    if (ccvMisfits(body.CardNumber, body.Ccv)) return ccvRefused(context);
    const expiry = { seconds: body.ExpireSeconds, instant: body.ExpireDate };
    return { pan: body.CardNumber, ccv: body.Ccv, expiry };
  },
);

/** The vault fields of calls that create another record of a card. */
export const vaultFields = () => ({
  VaultCard: optionalFlag().describe('Whether to store the card in the vault too.'),
  VaultExpireSeconds: secondsUntilGone('vault entry', 'VaultExpireDate', CODE.InvalidVaultExpiryDate),
  VaultExpireDate: instantWhenGone('vault entry', 'VaultExpireSeconds', CODE.InvalidVaultExpiryDate),
});

export function vaultWishOf(body: FieldValues<typeof vaultFields>): VaultWish {
  return {
    wanted: body.VaultCard ?? false,
    expiry: { seconds: body.VaultExpireSeconds, instant: body.VaultExpireDate },
  };
}

const entryFields = () => ({
  VaultId: answers.id(),
  CreatedDate: answers.instant(),
  ExpireDate: answers.maybeInstant(),
  MaskedCardNumber: z.string(),
  HasCvv: z.boolean(),
});

export const VaultEntryResponse = answers.component('VaultEntry', entryFields);
export type VaultEntryResponse = z.output<typeof VaultEntryResponse>;

export const WholeVaultEntryResponse = answers.component('WholeVaultEntry', () => ({
  ...entryFields(),
  CardNumber: z.string(),
  Ccv: answers.text(),
}));
export type WholeVaultEntryResponse = z.output<typeof WholeVaultEntryResponse>;
