import fc from 'fast-check';

import { GOOD_TOKENS, PENDING_PAYER } from '../spec.js';
import { type Source } from '../state.js';
import { checkProvider, define, header, post, provider, ref, refuse } from './kind.js';
import { store } from './storing.js';
import { magicSource } from './tokens.js';

/** Sources that are neither cards nor accounts of ours: agreements of PayTo, and what providers have already. */

export const storeAgreement = define(
  'store an agreement',
  fc.record({
    provider: provider(),
    payer: fc.constantFrom('0400000000', '0400000000', PENDING_PAYER),
    maximum: fc.constantFrom(10, 100, 1000),
    header: header(),
  }),
  (context, args) => {
    const body = {
      ProviderId: args.provider,
      PayerName: 'Pat Payer',
      PayerPayIdDetails: { PayId: args.payer, PayIdType: 'PHONE' },
      MaximumAmount: args.maximum,
    };
    return {
      call: post('/payment_method/payto', body, args.header),
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
        return store(context, { provider: args.provider, source, told });
      },
    };
  },
);

export const agree = define('agree to an agreement', fc.record({ method: ref() }), (context, args) => {
  const { id, n } = context.find('methods', args.method);
  return {
    call: post('/_sandbox/simulate', { Action: 'payto.activate', Ref: id }),
    decide: () => {
      const { source } = context.live('methods', n);
      const { agreed } = source;
      if (agreed === undefined) return refuse(400, 58);
      if (agreed.isActive) refuse(409, 57);
      const active: Source = { ...source, agreed: { ...agreed, isActive: true } };
      return { events: () => [{ kind: 'methodChanged', method: n ?? 0, source: active }] };
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
    call: post(
      `/payment_method/${args.once ? 'provider_single_use_token' : 'provider_token'}`,
      { ProviderId: args.provider, ProviderToken: args.token },
      args.header,
    ),
    decide: () => {
      checkProvider(args.provider);
      const told = context.told('paymentMethod.create', null, args.header);
      if (args.token === 'tok_used') refuse(400, 51);
      const isMagic = GOOD_TOKENS.includes(args.token);
      const isSpent = context.state.methods.some(
        ({ once, provider: at_ }) => once === args.token && at_ === args.provider,
      );
      if (args.once && !isMagic && isSpent) refuse(400, 51);
      const once = args.once ? args.token : null;
      return store(context, { provider: args.provider, source: magicSource(args.token), told, once });
    },
  }),
);
