import * as z from 'zod';

import { paymentInformation, providerId } from '../wire/fields.js';

export const CreateToken = z
  .object({ ProviderId: providerId(), PaymentInformation: paymentInformation() })
  .transform((body) => ({ providerId: body.ProviderId, card: body.PaymentInformation }));
