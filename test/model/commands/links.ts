import fc from 'fast-check';

import { readAmount } from '../arithmetic.js';
import { decideCharge, NO_LINKS } from '../charging.js';
import { EXPONENTS, PROVIDER } from '../spec.js';
import { at } from '../state.js';
import {
  amountText,
  checkAmount,
  currency,
  define,
  given,
  header,
  post,
  ref,
  refuse,
  textIn,
  verdictOf,
} from './kind.js';
import { cardMembers, cardSource, paymentInformation } from './storing.js';

/** Payment links, and those who pay them. */

const amount = () => fc.oneof(fc.constant(null), amountText());

export const makeLink = define(
  'make a payment link',
  fc.record({
    amount: amount(),
    currency: currency(),
    limit: fc.constantFrom(null, 1, 2, 0),
    types: fc.constantFrom([], ['card'], ['PAYTO', 'CARD'], ['PAYTO']),
    invoice: fc.constantFrom(null, 'i1'),
  }),
  (_, args) => {
    const code = args.currency.toUpperCase();
    const body = given({
      Title: 'Gift',
      Amount: args.amount,
      Currency: args.currency,
      LimitPayments: args.limit,
      AllowedPaymentTypes: args.types,
      InvoiceId: args.invoice,
    });
    return {
      call: post('/payment_link', body),
      decide: () => {
        if (args.amount !== null) checkAmount(args.amount);
        if (EXPONENTS[code] === undefined) refuse(400, 29);
        if (args.limit === 0) refuse(400, 90);
        const read = args.amount === null ? null : readAmount(args.amount, EXPONENTS[code] ?? 2);
        if (read !== null && 'code' in read) return refuse(400, read.code);
        const link = {
          text: args.amount,
          minor: read?.minor ?? null,
          currency: code,
          limit: args.limit,
          takesCards: args.types.length === 0 || args.types.some((type) => type.toUpperCase() === 'CARD'),
          invoice: args.invoice,
        };
        return {
          events: (answer) => [{ kind: 'linkMade', link: { ...link, id: textIn(answer, 'PaymentLinkId') } }],
        };
      },
    };
  },
);

export const payLink = define(
  'pay a link',
  fc.record({ ...cardMembers, link: ref(), amount: amount(), header: header() }),
  (context, args) => {
    const { state } = context;
    const { id, n } = context.find('links', args.link);
    const body = given({ Amount: args.amount, PaymentInformation: paymentInformation(args) });
    return {
      call: post(`/_sandbox/pay/${id}`, body, args.header),
      decide: () => {
        if (args.amount !== null) checkAmount(args.amount);
        if (n === null) return refuse(404, 116);
        const link = at(state.links, n);
        if ((link.limit !== null && link.paid >= link.limit) || !link.takesCards) refuse(409, 116);
        const text = link.text ?? args.amount ?? refuse(400, 90);
        const told = context.told('charge.create', text, args.header);
        const outcome = decideCharge(state, {
          provider: PROVIDER.steady,
          source: cardSource(args),
          hasCcv: args.hasCcv,
          amount: text,
          currency: link.currency,
          capture: true,
          told,
          uses: [],
          links: { ...NO_LINKS, reference: link.invoice ?? id },
        });
        const verdict = verdictOf(outcome);
        if (verdict.decline) return verdict;
        return {
          ...verdict,
          events: (answer) => [...(verdict.events?.(answer) ?? []), { kind: 'linkPaid', link: n }],
        };
      },
    };
  },
);
