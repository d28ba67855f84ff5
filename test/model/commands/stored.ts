import fc from 'fast-check';

import { type Body, del, given, post, requireSame, valueIn } from '../calls.js';
import { isOver } from '../spec.js';
import { cardFields, makeCard } from './charges.js';
import { define, find, header, provider, ref, refuse, weighted } from './kind.js';
import { askProvider, checkProvider, maskNumber, showInstant } from './rules.js';

/** Cards that are stored, for somebody or for nobody, and what is removed. */

const PEOPLE = [
  { FirstName: 'Jo', LastName: 'Smith', Email: 'Jo@Example.com', Reference: 'c1' },
  { FirstName: 'Li', LastName: 'Wei', Email: 'li@example.com', Reference: 'C1' },
] as const;

export const storeCard = define(
  'store a card',
  fc.record({
    ...cardFields,
    provider: provider(),
    isVaulted: fc.boolean(),
    owner: fc.oneof(fc.constantFrom(null, ...PEOPLE), ref()),
    header: header(),
  }),
  (view, { owner, ...args }) => {
    const old = owner !== null && 'back' in owner ? find(view, 'customers', owner, isLive) : null;
    const isNew = owner !== null && old === null;
    const path = isNew
      ? '/customer/card'
      : `${old === null ? '' : `/customer/${old.id}`}/payment_method/card`;
    const body = {
      ProviderId: args.provider,
      PaymentInformation: makeCard(args),
      VaultCard: args.isVaulted,
      ...(isNew && owner),
    };
    return {
      call: post(path, body, args.header),
      decide: () => {
        checkProvider(args.provider);
        if (old !== null && old.record === null) refuse(404, 52);
        if (old !== null && !isLive(old.record ?? {})) refuse(409, 72);
        if (isOver(args.expiry, view.own.now)) refuse(400, 14);
        const question = { asked: 'store', provider: args.provider, trigger: args.pan } as const;
        const decline = askProvider(view, { ...question, header: args.header });
        return {
          ...(decline !== undefined && { decline }),
          expect: ({ methods, customers }, isDeclined) => {
            const { own } = view;
            const more = isDeclined ? [0, 0] : [1, isNew ? 1 : 0];
            const counts = [methods.length - own.methods.length, customers.length - own.customers.length];
            requireSame('The methods and customers that are added', counts, more);
            if (isDeclined) return;
            const made = methods.at(-1);
            const shown = [
              made?.['ProviderId'],
              valueIn(made, 'Card', 'CardNumber'),
              made?.['VaultId'] !== null,
            ];
            requireSame('The method', shown, [args.provider, maskNumber(args.pan), args.isVaulted]);
            const holder = isNew ? customers.at(-1)?.['CustomerId'] : (old?.id ?? null);
            requireSame('Whose the method is', made?.['CustomerId'], holder);
          },
        };
      },
    };
  },
);

const isLive = ({ DateRemoved }: Body): boolean => DateRemoved === null;

export const removeCustomer = define('remove a customer', fc.record({ customer: ref() }), (view, args) => {
  const { id, record } = find(view, 'customers', args.customer);
  return {
    call: del(`/customer/${id}`),
    decide: () => {
      if (record === null) refuse(404, 52);
      else if (!isLive(record)) refuse(409, 72);
      return {
        decline: null,
        expect: ({ customers, methods }) => {
          const removed = customers.find(({ CustomerId }) => CustomerId === id);
          requireSame('DateRemoved', removed?.['DateRemoved'], showInstant(view.own.now));
          const left = view.own.methods.filter(({ CustomerId }) => CustomerId !== id);
          requireSame('The methods that are left', methods, left);
        },
      };
    },
  };
});

export const removeMethod = define('remove a payment method', fc.record({ method: ref() }), (view, args) => {
  const { id, record } = find(view, 'methods', args.method);
  return {
    call: del(`/payment_method/${id}`),
    decide: () => {
      if (record === null) refuse(404, 56);
      return {
        decline: null,
        expect: ({ customers, methods }) => {
          const left = view.own.methods.filter(({ PaymentMethodId }) => PaymentMethodId !== id);
          requireSame('The methods that are left', methods, left);
          const first = customers.map((one) => valueIn(one, 'DefaultPaymentMethod', 'PaymentMethodId'));
          if (first.includes(id)) throw new Error(`${id} is removed, and somebody's default`);
        },
      };
    },
  };
});

export const changeCustomer = define(
  'change a customer',
  fc.record({
    customer: ref(),
    first: fc.constantFrom(null, 'Alex', 'JO'),
    email: fc.constantFrom(null, 'new@example.com'),
    method: weighted([1, [null]], [1, [{ from: 'own' as const, back: 0 }]]),
  }),
  (view, args) => {
    const { id, record } = find(view, 'customers', args.customer, isLive);
    const { methods } = view.own;
    const own = methods.filter(({ CustomerId }) => CustomerId === id).at(-1) ?? methods.at(-1);
    const chosen = args.method === null ? undefined : own;
    const DefaultPaymentMethodId = chosen?.['PaymentMethodId'] ?? null;
    const said = given({ FirstName: args.first, Email: args.email, DefaultPaymentMethodId });
    return {
      call: { ...post(`/customer/${id}`, said), method: 'PUT' },
      decide: () => {
        if (record === null) return refuse(404, 52);
        if (!isLive(record)) refuse(409, 72);
        if (chosen !== undefined && chosen['CustomerId'] !== id) refuse(400, 57);
        return {
          decline: null,
          expect: ({ customers }) => {
            const now = customers.find(({ CustomerId }) => CustomerId === id);
            const first = valueIn(record, 'DefaultPaymentMethod', 'PaymentMethodId') ?? null;
            const shown = [now?.['FirstName'], now?.['Email']];
            requireSame('The customer', shown, [
              args.first ?? record['FirstName'],
              args.email ?? record['Email'],
            ]);
            const fallback = valueIn(now, 'DefaultPaymentMethod', 'PaymentMethodId') ?? null;
            requireSame('The default', fallback, DefaultPaymentMethodId ?? first);
          },
        };
      },
    };
  },
);
