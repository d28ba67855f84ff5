import { agreement, cardOf, NO_FUNDS, STEADY, storing, VISA } from '../../support/bodies.js';
import { textAt } from '../player.js';
import type { Play } from './play.js';

const CARD = storing();

const customer: Play = async (player, book) => {
  const Reference = `customer-${book.charges}-${player.dice.below(1e9)}`;
  const made = await player.ask('POST /customer/card', {
    ...CARD,
    Reference,
    FirstName: 'Jo',
    VaultCard: true,
  });
  const CustomerId = textAt(made, 'CustomerId');
  const first = textAt(made, 'DefaultPaymentMethod.PaymentMethodId');
  await player.ask(
    'POST /charge/customer',
    { Amount: 5, ProviderId: STEADY, CustomerId },
    { has: { Status: 'SUCCESS', CustomerId } },
  );
  book.addCharge(500);
  const added = await player.ask(
    `POST /customer/${CustomerId}/payment_method/payto`,
    agreement({ SetDefault: true }),
  );
  const second = textAt(added, 'PaymentMethodId');
  await player.ask(
    'POST /charge/customer',
    { Amount: 7, ProviderId: STEADY, CustomerId },
    { has: { Status: 'SUCCESS', PaymentInformation: { PaymentMethodId: second } } },
  );
  book.addCharge(700);
  await player.ask(
    'POST /charge/customer',
    { Amount: 501, ProviderId: STEADY, CustomerId },
    { status: 400, code: 24 },
  );
  await player.ask(
    `PUT /customer/${CustomerId}`,
    { Email: 'li@example.com', DefaultPaymentMethodId: first },
    { has: { Email: 'li@example.com', DefaultPaymentMethod: { PaymentMethodId: first } } },
  );
  await player.see(`GET /customer?Reference=${Reference}`, { has: { Count: 1 } });
  await player.see(`GET /charge?CustomerId=${CustomerId}`, { has: { Count: 2 } });
  await player.ask(`DELETE /customer/${CustomerId}`);
  await player.ask(
    'POST /charge/customer',
    { Amount: 5, ProviderId: STEADY, CustomerId },
    { status: 409, code: 72 },
  );
};

const method: Play = async (player, book) => {
  const id = textAt(await player.ask('POST /payment_method/card', CARD), 'PaymentMethodId');
  const charge = { Amount: '7.25', Currency: 'AUD', PaymentMethodId: id };
  await player.ask('POST /charge/payment_method', charge, { has: { Status: 'SUCCESS', Amount: 7.25 } });
  book.addCharge(725);
  await player.ask(
    `PUT /payment_method/${id}`,
    { Card: { ExpiryDate: '11/41' } },
    { has: { Card: { ExpiryDate: '11/41' } } },
  );
  await player.ask(`DELETE /payment_method/${id}`);
  await player.ask('POST /charge/payment_method', charge, { status: 409, code: 73 });
};

const declinedMethod: Play = async (player, book) => {
  const body = { ProviderId: STEADY, PaymentInformation: cardOf(NO_FUNDS) };
  const id = textAt(await player.ask('POST /payment_method/card', body), 'PaymentMethodId');
  const charge = { Amount: 1, Currency: 'AUD', PaymentMethodId: id };
  await player.ask('POST /charge/payment_method', charge, { status: 400, code: 15 });
  book.addCharge(0);
};

const providerToken: Play = async (player, book) => {
  const body = {
    ProviderId: STEADY,
    ProviderToken: `pm_${player.dice.below(1e9)}`,
    ProviderTokenData: { a: 'b' },
  };
  const id = textAt(await player.ask('POST /payment_method/provider_token', body), 'PaymentMethodId');
  await player.ask(
    'POST /charge/payment_method',
    { Amount: 3, Currency: 'AUD', PaymentMethodId: id },
    { has: { Status: 'SUCCESS' } },
  );
  book.addCharge(300);
};

const vault: Play = async (player) => {
  const made = await player.ask('POST /vault', { CardNumber: VISA, Ccv: '123', ExpireSeconds: 600 });
  const path = `/vault/${textAt(made, 'VaultId')}`;
  await player.see(`GET ${path}`, { has: { CardNumber: VISA } });
  await player.ask(`DELETE ${path}`);
  await player.see(`DELETE ${path}`, { status: 404, code: 62 });
};

const link: Play = async (player) => {
  const made = await player.ask('POST /payment_link', { Title: 'Gift', Amount: 5 });
  await player.see(`GET /payment_link/${textAt(made, 'PaymentLinkId')}`, {
    has: { Title: 'Gift' },
  });
};

const searches: Play = async (player, book) => {
  const Count = book.charges;
  await player.see('GET /charge?Limit=3&Skip=1&SortBy=-Amount', {
    has: { Count, Limit: 3, Skip: 1 },
  });
  await player.see('GET /charge?AmountGreaterThan=900000', { has: { Count: 0 } });
  await player.ask('GET /customer?Limit=2');
  await player.ask('GET /payment_method?CardType=VISA&Limit=3');
  await player.ask('GET /token?Status=USED');
  await player.see('GET /_sandbox/world', { has: { Counts: { Charges: Count } } });
};

const journal: Play = async (player, book) => {
  const Reference = `awaited-${player.dice.below(1e9)}`;
  const Match = { Reference };
  await player.askBoth(
    ['POST /_sandbox/journal/await', { Match, Timeout: '20s' }, { has: { Count: 1 } }],
    ['POST /charge/card', { Amount: 2, Reference, ...CARD }, { has: { Status: 'SUCCESS' } }],
  );
  book.addCharge(200);
  await player.ask('POST /_sandbox/journal/count', { Match }, { has: { Count: 1 } });
  const never = { Match: { Reference: 'never' }, Timeout: '20ms' };
  await player.ask('POST /_sandbox/journal/await', never, { status: 408, code: 94 });
};

/** What is kept, found and thrown away. */
export const STORED_PLAYS: readonly Play[] = [
  customer,
  method,
  declinedMethod,
  providerToken,
  vault,
  link,
  searches,
  journal,
];
