import * as z from 'zod';

import { paymentInformation } from '../http/card-fields.js';
import { optionalAmount } from '../http/fields.js';
import type { PayerInput } from './payment.js';

/** What the page of a link sends. */
export const PayLink = z
  .object({ Amount: optionalAmount(), PaymentInformation: paymentInformation() })
  .transform((body): PayerInput => ({ amount: body.Amount, card: body.PaymentInformation }));
