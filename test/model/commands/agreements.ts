import fc from 'fast-check';

import { GOOD_TOKENS, PENDING_PAYER } from '../spec.js';
import { at, type Source } from '../state.js';
import { checkProvider, define, header, headersOf, provider, ref, refuse } from './kind.js';
import { store } from './storing.js';

/** Sources that are neither cards nor accounts of ours: agreements of PayTo, and what providers have already. */

const NOBODY = { customer: null, isDefault: false };

export const storeAgreement = define(
  'store an agreement',
  fc.record({
    provider: provider(),
    payer: fc.constantFrom('0400000000', '0400000000', PENDING_PAYER),
    maximum: fc.constantFrom(10, 100, 1000),
    header: header(),
  }),
  (context, args) => ({
    call: {
      method: 'POST',
      path: '/payment_method/payto',
      body: {
        ProviderId: args.provider,
        PayerName: 'Pat Payer',
        PayerPayIdDetails: { PayId: args.payer, PayIdType: 'PHONE' },
        MaximumAmount: args.maximum,
      },
      headers: headersOf(args.header),
    },
    decide: () => {
      checkProvider(args.provider);
      const told = context.told('paymentMethod.create', null, args.header);
      const source: Source = {
        type: 'PAYTO',
        number: args.payer,
        expiry: null,
        trigger: 'payto',
        agreed: { isActive: args.payer !== PENDING_PAYER, maximum: args.maximum },
      };
      return store(context, {
        provider: args.provider,
        source,
        told,
        vaulted: null,
        entry: null,
        owner: NOBODY,
        spent: [],
        methodOf: (body) => body,
      });
    },
  }),
);

export const agree = define('agree to an agreement', fc.record({ method: ref() }), (context, args) => {
  const { id, n } = context.find('methods', args.method);
  return {
    call: { method: 'POST', path: '/_sandbox/simulate', body: { Action: 'payto.activate', Ref: id } },
    decide: () => {
      if (n === null) return refuse(404, 56);
      const { removedAt, source } = at(context.state.methods, n);
      const { agreed } = source;
      if (removedAt !== null) refuse(409, 73);
      if (agreed === undefined) return refuse(400, 58);
      if (agreed.isActive) refuse(409, 57);
      const active: Source = { ...source, agreed: { ...agreed, isActive: true } };
      return { events: () => [{ kind: 'methodChanged', method: n, source: active }] };
    },
  };
});

export const storeProviderToken = define(
  'store what a provider has',
  fc.record({
    provider: provider(),
    token: fc.constantFrom('pm_1', 'pm_2', 'pm_3', ...GOOD_TOKENS, 'tok_used'),
    once: fc.boolean(),
    header: header(),
  }),
  (context, args) => ({
    call: {
      method: 'POST',
      path: `/payment_method/${args.once ? 'provider_single_use_token' : 'provider_token'}`,
      body: { ProviderId: args.provider, ProviderToken: args.token },
      headers: headersOf(args.header),
    },
    decide: () => {
      checkProvider(args.provider);
      const told = context.told('paymentMethod.create', null, args.header);
      if (args.token === 'tok_used') refuse(400, 51);
      const isMagic = GOOD_TOKENS.includes(args.token);
      const isSpent = context.state.methods.some(
        ({ once, provider: at_ }) => once === args.token && at_ === args.provider,
      );
      if (args.once && !isMagic && isSpent) refuse(400, 51);
      const source: Source = {
        type: 'CARD',
        number: '4111111111111111',
        expiry: '12/99',
        trigger: args.token,
      };
      return store(context, {
        provider: args.provider,
        source,
        told,
        vaulted: null,
        entry: null,
        owner: NOBODY,
        spent: [],
        once: args.once ? args.token : null,
        methodOf: (body) => body,
      });
    },
  }),
);
