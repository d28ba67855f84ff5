import * as z from 'zod';

import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import { paymentInformation } from '../http/card-fields.js';
import { amount } from '../http/fields.js';
import { common, detailsOf } from './schema.js';

/** A charge of a card that names no provider: it is chosen by its cost, where providers say what they take. */
export const ChargeLeastCost = z
  .object({ Amount: amount(), PaymentInformation: paymentInformation(), ...common })
  .transform((body) => ({
    amount: body.Amount,
    providerId: DEFAULT_PROVIDER_ID,
    card: body.PaymentInformation,
    details: detailsOf(body),
  }));
