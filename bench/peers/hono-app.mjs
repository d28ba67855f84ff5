// Hono with the least work of a gateway: it checks the charge with zod, keeps it in a Map and answers.
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';

import { answerFor, idOf } from '../answer.mjs';
import { isCardNumber } from './card-number.mjs';

const CHARGE = z.object({
  Amount: z.number().positive().max(999_999_999.99),
  Currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  Reference: z.string().max(255).optional(),
  ProviderId: z.string().regex(/^[0-9a-f]{32}$/),
  PaymentInformation: z.object({
    CardNumber: z
      .string()
      .regex(/^[0-9]{12,19}$/)
      .refine(isCardNumber),
    ExpiryDate: z.string().regex(/^(0[1-9]|1[0-2])\/[0-9]{2}$/),
    Ccv: z
      .string()
      .regex(/^[0-9]{3,4}$/)
      .optional(),
    Cardholder: z.string().max(255).optional(),
  }),
});

/** An app with its own charges. */
export function createApp() {
  const charges = new Map();
  return new Hono()
    .post('/charge/card', zValidator('json', CHARGE), (c) => {
      const charge = c.req.valid('json');
      const id = idOf(charges.size + 1);
      charges.set(id, charge);
      return c.json(answerFor(id, charge));
    })
    .get('/charge/:id', (c) => {
      const id = c.req.param('id');
      const charge = charges.get(id);
      return charge === undefined
        ? c.json({ Message: 'No such charge' }, 404)
        : c.json(answerFor(id, charge));
    });
}
