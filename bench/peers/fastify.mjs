// Fastify with the least work of a gateway: it checks the charge against a JSON schema, keeps it in a Map and answers.
//
//   node bench/peers/fastify.mjs PORT
import fastify from 'fastify';

import { answerFor, idOf } from '../answer.mjs';
import { isCardNumber } from './card-number.mjs';

const CHARGE = {
  type: 'object',
  required: ['Amount', 'ProviderId', 'PaymentInformation'],
  properties: {
    Amount: { type: 'number', exclusiveMinimum: 0, maximum: 999_999_999.99 },
    Currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    Reference: { type: 'string', maxLength: 255 },
    ProviderId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    PaymentInformation: {
      type: 'object',
      required: ['CardNumber', 'ExpiryDate'],
      properties: {
        CardNumber: { type: 'string', pattern: '^[0-9]{12,19}$' },
        ExpiryDate: { type: 'string', pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$' },
        Ccv: { type: 'string', pattern: '^[0-9]{3,4}$' },
        Cardholder: { type: 'string', maxLength: 255 },
      },
    },
  },
};

const charges = new Map();
const app = fastify();

app.post('/charge/card', { schema: { body: CHARGE } }, async ({ body }, reply) => {
  if (!isCardNumber(body.PaymentInformation.CardNumber)) {
    return reply.code(400).send({ Message: 'Not a card number' });
  }
  const id = idOf(charges.size + 1);
  charges.set(id, body);
  return answerFor(id, body);
});

app.get('/charge/:id', async ({ params: { id } }, reply) => {
  const charge = charges.get(id);
  return charge === undefined ? reply.code(404).send({ Message: 'No such charge' }) : answerFor(id, charge);
});

await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
