import * as z from 'zod';

import { optionalCcv, optionalExpiry } from '../http/card-fields.js';
import { optionalMetadata, optionalText, providerId } from '../http/fields.js';

export const CreateFromVault = z
  .object({
    ProviderId: providerId(),
    PaymentMethodId: optionalText().describe('A stored payment method.'),
    VaultId: optionalText().describe('A vault entry, in place of PaymentMethodId.'),
    ExpiryDate: optionalExpiry(),
    Ccv: optionalCcv(),
    Metadata: optionalMetadata(),
  })
  .transform((body) => ({
    providerId: body.ProviderId,
    source: { paymentMethodId: body.PaymentMethodId, vaultId: body.VaultId, expiry: body.ExpiryDate },
    ccv: body.Ccv,
    metadata: body.Metadata,
  }));
