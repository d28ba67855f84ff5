import fc from 'fast-check';

import { isOver } from '../arithmetic.js';
import type { Event } from '../event.js';
import { ACCOUNTS, AMEX } from '../spec.js';
import { checkProvider, define, given, header, type Named, post, provider, ref, refuse } from './kind.js';
import {
  accountSource,
  bankInformation,
  cardMembers,
  cardSource,
  ccvOf,
  checkBoth,
  checkSeconds,
  goalOf,
  KEPT,
  paymentInformation,
  store,
  target,
  vault,
  vaultMembers,
} from './storing.js';
import { anyToken, openToken, tokenNamed } from './tokens.js';

/** Calls that store a card or an account: as somebody's method, or as nobody's. */

export const storeCard = define(
  'store a card',
  fc.record({ ...cardMembers, provider: provider(), vault: vault(), target: target(), header: header() }),
  (context, args) => {
    const goal = goalOf(context, args.target, 'card');
    const body = {
      ProviderId: args.provider,
      PaymentInformation: paymentInformation(args),
      ...vaultMembers(args.vault),
      ...goal.members,
    };
    return {
      call: post(goal.path, body, args.header),
      decide: () => {
        checkProvider(args.provider);
        checkSeconds(args.vault);
        const told = context.told(goal.operation, null, args.header);
        if (args.target.kind === 'old') checkBoth(args.vault);
        const owner = goal.owner();
        checkBoth(args.vault);
        if (isOver(args.expiry, context.state.now)) refuse(400, 14);
        const seconds = args.vault.both ? KEPT : args.vault.seconds;
        const vaulted = args.vault.wanted ? { pan: args.pan, ccv: ccvOf(args), seconds } : null;
        const { shape } = goal;
        const source = cardSource(args);
        return store(context, { provider: args.provider, source, told, vaulted, owner, ...shape });
      },
    };
  },
);

export const storeToken = define(
  'store a token',
  fc.record({ token: anyToken(), vault: vault(), target: target(), header: header() }),
  (context, args) => {
    const goal = goalOf(context, args.target, 'token');
    const named: Named = tokenNamed(context, args.token);
    return {
      call: post(goal.path, { Token: named.id, ...vaultMembers(args.vault), ...goal.members }, args.header),
      decide: () => {
        checkSeconds(args.vault);
        const told = context.told(goal.operation, null, args.header);
        if (args.target.kind === 'old') checkBoth(args.vault);
        const owner = goal.owner();
        checkBoth(args.vault);
        const { provider: providerId, source, ccv, entry, spent } = openToken(context, named);
        const seconds = args.vault.both ? KEPT : args.vault.seconds;
        const vaulted = args.vault.wanted && entry === null ? { pan: source.number, ccv, seconds } : null;
        return store(context, {
          provider: providerId,
          source,
          told,
          vaulted,
          entry,
          owner,
          spent,
          ...goal.shape,
        });
      },
    };
  },
);

export const storeAccount = define(
  'store a bank account',
  fc.record({ provider: provider(), number: fc.constantFrom(...ACCOUNTS), header: header() }),
  (context, args) => {
    const body = { ProviderId: args.provider, BankPaymentInformation: bankInformation(args.number) };
    return {
      call: post('/payment_method/bank_account', body, args.header),
      decide: () => {
        checkProvider(args.provider);
        const told = context.told('paymentMethod.create', null, args.header);
        return store(context, { provider: args.provider, source: accountSource(args.number), told });
      },
    };
  },
);

export const fromVault = define(
  'make a method from the vault',
  fc.record({
    provider: provider(),
    method: ref(),
    ccv: fc.constantFrom(null, '321', '4321', '12'),
    header: header(),
  }),
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    const { state } = context;
    const body = given({ ProviderId: args.provider, PaymentMethodId: id, Ccv: args.ccv });
    return {
      call: post('/payment_method/vault', body, args.header),
      decide: () => {
        checkProvider(args.provider);
        if (args.ccv === '12') refuse(400, 6);
        const told = context.told('paymentMethod.create', null, args.header);
        const { source, vault: entry } = context.live('methods', n);
        if (source.type !== 'CARD') refuse(400, 106);
        if (entry === null) return refuse(400, 66);
        context.live('entries', entry);
        if (args.ccv !== null && args.ccv.length !== (source.number === AMEX ? 4 : 3)) refuse(400, 6);
        if (source.expiry !== null && isOver(source.expiry, state.now)) refuse(400, 14);
        const stored = store(context, { provider: args.provider, source, told, entry });
        const isGood = stored.decline === null;
        const kept: Event[] = args.ccv !== null && isGood ? [{ kind: 'ccvSet', entry, ccv: args.ccv }] : [];
        return { ...stored, events: (answer) => [...(stored.events?.(answer) ?? []), ...kept] };
      },
    };
  },
);
