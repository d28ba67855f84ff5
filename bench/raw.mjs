// The limit that playmoney is measured against: a bare node:http server that reads the same charge, keeps it in a
// Map and answers with the same members. No checks, no key, no clock: nothing in this language can do less.
//
//   node bench/raw.mjs [PORT]
import { createServer } from 'node:http';

const charges = new Map();
let made = 0;

function answerFor(id, charge) {
  const { ProviderId, PaymentInformation: card } = charge;
  const now = new Date().toISOString();
  return {
    ChargeId: id,
    ProviderChargeId: `ch_${id.slice(8)}`,
    ProviderId,
    Amount: charge.Amount,
    Currency: charge.Currency,
    Status: 'SUCCESS',
    Reference: charge.Reference,
    AuthorisationAmount: null,
    RefundedAmount: null,
    Refunds: [],
    CustomerId: null,
    Customer: null,
    Provider: { ProviderId, Type: 'dummy', Name: 'steady' },
    PaymentInformation: {
      Type: 'CARD',
      PaymentMethodId: null,
      Card: {
        CardNumber: '4111********1111',
        ExpiryDate: card.ExpiryDate,
        Cardholder: card.Cardholder,
        Type: 'VISA',
        CardType: 'CREDIT',
        CardIin: '411111',
        CcvCheck: true,
      },
    },
    DateAdded: now,
    SuccessDate: now,
    VoidDate: null,
    FailedAttempts: [],
    Initiator: null,
    Descriptor: null,
    PaymentTokenId: null,
    BatchId: null,
    Metadata: null,
  };
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const charge = JSON.parse(Buffer.concat(chunks).toString());
    const id = (++made).toString(16).padStart(32, '0');
    charges.set(id, charge);
    const body = JSON.stringify(answerFor(id, charge));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`raw listening on http://127.0.0.1:${server.address().port}`);
});
