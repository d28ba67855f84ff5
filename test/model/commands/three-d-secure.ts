import fc from 'fast-check';

import type { Event } from '../event.js';
import { effectsOf, ISSUER_SAYS } from '../spec.js';
import { at, newestOf, type Transaction, type TransactionStatus } from '../state.js';
import { type Body, define, post, ref, refuse, textIn } from './kind.js';
import { anyToken, openToken, tokenNamed } from './tokens.js';
import { requireSame } from '../same.js';

/** 3-D Secure of tokens: a page asks who pays, and the payer answers. */

const pathOf = (call: string, token: string): string => `/3ds/${call}/token/${encodeURIComponent(token)}`;

export const begin = define(
  'begin an authentication',
  fc.record({ token: anyToken() }),
  (context, { token }) => {
    const named = tokenNamed(context, token);
    return {
      call: post(pathOf('preauth', named.id), {}),
      decide: () => {
        const { source } = openToken(context, named);
        const open = context.state.transactions[newestOf(context.state, named.id)];
        // One that its page has not gone on with is begun but once.
        if (open?.status === 'CREATED') {
          return { check: (body) => requireSame('The transaction', idIn(body), open.id) };
        }
        return {
          events: (body) => [
            {
              kind: 'transactionBegun',
              transaction: { id: idIn(body), token: named.id, source, isRequired: false },
            },
          ],
        };
      },
    };
  },
);

const idIn = (body: Body): string => textIn(body, 'threeDSServerTransID');

/** What the issuer says: of an ordinary card yes, unless a charge demanded that the payer be asked. */
function saidOf({ source, isRequired }: Transaction): TransactionStatus {
  const demands = effectsOf(source.trigger)?.charge?.includes('require_3ds') === true;
  return ISSUER_SAYS[source.trigger] ?? (isRequired || demands ? 'CHALLENGED' : 'PASSED');
}

const TRANS_STATUS: Readonly<Record<TransactionStatus, string>> = {
  CREATED: 'C',
  CHALLENGED: 'C',
  PASSED: 'Y',
  FAILED: 'N',
  UNAVAILABLE: 'U',
};

export const ask = define('ask the issuer', fc.record({ token: anyToken() }), (context, { token }) => {
  const { id } = tokenNamed(context, token, (one) => newestOf(context.state, one.id) !== -1);
  return {
    call: post(pathOf('auth', id), {}),
    decide: () => {
      const transaction = newestOf(context.state, id);
      if (transaction === -1) refuse(400, 59);
      const found = at(context.state.transactions, transaction);
      const status = found.status === 'CREATED' ? saidOf(found) : found.status;
      const events: Event[] = [{ kind: 'transactionAsked', transaction, status }];
      return {
        check: (body) => requireSame('The transStatus', body['transStatus'], TRANS_STATUS[status]),
        ...(found.status === 'CREATED' && { events: () => events }),
      };
    },
  };
});

export const answer = define(
  'answer a challenge',
  fc.record({
    transaction: ref(),
    ending: fc.constantFrom('approve', 'approve', 'fail', 'abandon', 'timeOut'),
  }),
  (context, args) => {
    const { id, n: transaction } = context.find(
      'transactions',
      args.transaction,
      ({ status }) => status === 'CHALLENGED',
    );
    const { ending } = args;
    return {
      call: post('/_sandbox/simulate', { Action: `challenge.${ending}`, Ref: id }),
      decide: () => {
        if (transaction === null) return refuse(400, 59);
        if (at(context.state.transactions, transaction).status !== 'CHALLENGED') refuse(409, 59);
        return { events: () => [{ kind: 'challengeEnded', transaction, ending }] };
      },
    };
  },
);
