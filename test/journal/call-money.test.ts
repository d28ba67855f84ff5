import { expect, test } from 'vitest';

import { findMoney } from '../../src/journal/call-money.js';

const charge = (more: object = {}): string => JSON.stringify({ Amount: 20, Currency: 'AUD', ...more });

test.each([
  ['the request', '{"Amount":"12.50","Currency":"USD"}', '', charge(), [12.5, 'USD']],
  ['the request, under names of the client libraries', '{"amount":7}', '', charge(), [7, 'AUD']],
  ['the query of a refund', null, 'amount=5', charge({ Refunds: [{ Amount: 5 }] }), [5, 'AUD']],
  [
    'the last refund, if all that was left is refunded',
    null,
    '',
    charge({ Refunds: [{ Amount: 5 }, { Amount: 15 }] }),
    [15, 'AUD'],
  ],
  ['the answer', null, '', charge({ Refunds: [] }), [20, 'AUD']],
  ['nothing in a wrong amount', '{"Amount":"ten","Currency":"dollars"}', '', null, [null, null]],
  ['nothing in what may be the number of a card', '{"Amount":4242424242424242}', '', null, [null, null]],
  ['nothing in text that is not JSON', '<xml/>', '', '"text"', [null, null]],
])('The money of a call is that of %s.', (_, request, query, answer, [amount, currency]) => {
  expect(findMoney(request, query, answer)).toEqual({ amount, currency });
});
