import * as z from 'zod';

import { CODE } from '../../core/errors.js';
import * as answers from '../../http/answers/answers.js';
import { type FieldsOutput, requestSchema } from '../../http/fields/field.js';
import { isWrongCcv, refuseCcv, optionalCcv, requiredPan } from '../../http/fields/card-fields.js';
import { optionalFlag, optionalInstant, optionalSeconds } from '../../http/fields/fields.js';
import type { VaultRequest } from './service.js';

const expirySeconds = (what: string, other: string, code: number) =>
  optionalSeconds(code).meta({
    description: `The number of seconds after which the ${what} expires. Never both this and ${other}.`,
    neverWith: other,
  });

const expiryInstant = (what: string, other: string, code: number) =>
  optionalInstant(code).meta({
    description: `When the ${what} expires. Never both this and ${other}.`,
    'x-server-checks': 'It must be in the future by the world’s clock.',
  });

export const CreateVaultEntry = requestSchema(
  () => ({
    CardNumber: requiredPan(),
    Ccv: optionalCcv(),
    ExpireSeconds: expirySeconds('entry', 'ExpireDate', CODE.InvalidExpireDateOrExpireSeconds),
    ExpireDate: expiryInstant('entry', 'ExpireSeconds', CODE.InvalidExpireDateOrExpireSeconds),
  }),
  (body, context) => {
    if (isWrongCcv(body.CardNumber, body.Ccv)) return refuseCcv(context);
    const expiry = { seconds: body.ExpireSeconds, instant: body.ExpireDate };
    return { pan: body.CardNumber, ccv: body.Ccv, expiry };
  },
);

/** The vault fields of calls that create another record of a card. */
export const vaultFields = () => ({
  VaultCard: optionalFlag().describe('Whether to store the card in the vault too.'),
  VaultExpireSeconds: expirySeconds('vault entry', 'VaultExpireDate', CODE.InvalidVaultExpiryDate),
  VaultExpireDate: expiryInstant('vault entry', 'VaultExpireSeconds', CODE.InvalidVaultExpiryDate),
});

export function toVaultRequest(body: FieldsOutput<typeof vaultFields>): VaultRequest {
  return {
    wanted: body.VaultCard ?? false,
    expiry: { seconds: body.VaultExpireSeconds, instant: body.VaultExpireDate },
  };
}

const entryAnswer = () => ({
  VaultId: answers.id(),
  CreatedDate: answers.instant(),
  ExpireDate: answers.maybeInstant(),
  MaskedCardNumber: z.string(),
  HasCvv: z.boolean(),
});

export const VaultEntryResponse = answers.component('VaultEntry', entryAnswer);
export type VaultEntryResponse = z.output<typeof VaultEntryResponse>;

export const WholeVaultEntryResponse = answers.component('WholeVaultEntry', () => ({
  ...entryAnswer(),
  CardNumber: z.string(),
  Ccv: answers.text(),
}));
export type WholeVaultEntryResponse = z.output<typeof WholeVaultEntryResponse>;
