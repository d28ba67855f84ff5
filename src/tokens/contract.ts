import * as z from 'zod';

import { paymentInformation } from '../wire/card-fields.js';
import { providerId } from '../wire/fields.js';

export const CreateToken = z
  .object({ ProviderId: providerId(), PaymentInformation: paymentInformation() })
  .transform((body) => ({ providerId: body.ProviderId, card: body.PaymentInformation }));
