import fc from 'fast-check';

import { type Body, type Call, del, given, post, textIn, valueIn } from '../calls.js';
import { account as bankAccount } from '../../support/bodies.js';
import { ACCOUNTS, AMEX, CARDS, EXPONENTS, GOOD_CARDS, isOver, PROVIDER, readAmount } from '../spec.js';
import {
  amountText,
  currency,
  define,
  expiry,
  find,
  header,
  provider,
  ref,
  refuse,
  share,
  type Verdict,
  type View,
  weighted,
} from './kind.js';
import {
  askProvider,
  checkAmount,
  checkProvider,
  decideCharge,
  type Demand,
  type Details,
  findPan,
  maskNumber,
  minorIn,
  minorLeft,
  readMinor,
  requireChanged,
  showAmount,
  showInstant,
  textOfShare,
} from './rules.js';

/** Charges, and what becomes of them. */

export const details = {
  amount: amountText(),
  currency: currency(),
  capture: weighted([2, [true]], [1, [false]]),
  reference: fc.constantFrom('r1', 'r2', null),
  header: header(),
};

export const cardFields = {
  pan: weighted([1, GOOD_CARDS], [1, CARDS]),
  expiry: expiry(),
  hasCcv: fc.boolean(),
};

export interface CardArgs {
  readonly pan: string;
  readonly expiry: string;
  readonly hasCcv: boolean;
}

export const makeCard = ({ pan, expiry: ExpiryDate, hasCcv }: CardArgs): object =>
  given({ CardNumber: pan, ExpiryDate, Ccv: hasCcv ? (pan === AMEX ? '1234' : '123') : null });

export const makeCharge = (path: string, { header: outcome, ...args }: Details, more: object): Call =>
  post(
    path,
    given({
      Amount: args.amount,
      Currency: args.currency,
      Capture: args.capture,
      Reference: args.reference,
      ...more,
    }),
    outcome,
  );

/** The checks that every charge begins with. */
function checkDetails({ amount, currency: code }: Details, named?: string): void {
  checkAmount(amount);
  if (named !== undefined) checkProvider(named);
  if (EXPONENTS[code.toUpperCase()] === undefined) refuse(400, 29);
}

export const card = define(
  'charge a card',
  fc.record({ ...details, ...cardFields, provider: provider() }),
  (view, args) => ({
    call: makeCharge('/charge/card', args, { ProviderId: args.provider, PaymentInformation: makeCard(args) }),
    decide: () => {
      checkDetails(args, args.provider);
      const isExpired = isOver(args.expiry, view.own.now);
      const demand = { provider: args.provider, trigger: args.pan, isBank: false, isExpired };
      const verdict = decideCharge(view, args, { ...demand, shows: { CustomerId: null } });
      return {
        ...verdict,
        expect: (after, ...rest) => {
          verdict.expect(after, ...rest);
          const shown = valueIn(after.charges.at(-1), 'PaymentInformation', 'Card', 'CardNumber');
          if (shown !== maskNumber(args.pan)) throw new Error(`${args.pan} is masked as ${String(shown)}`);
        },
      };
    },
  }),
);

export const account = define(
  'charge a bank account',
  fc.record({ ...details, provider: provider(), number: fc.constantFrom(...ACCOUNTS) }),
  (view, args) => ({
    call: makeCharge('/charge/bank_account', args, {
      ProviderId: args.provider,
      BankPaymentInformation: bankAccount(args.number),
    }),
    decide: () => {
      checkDetails(args, args.provider);
      const demand = { provider: args.provider, trigger: args.number, isBank: true, isExpired: false };
      return decideCharge(view, args, { ...demand, shows: { CustomerId: null } });
    },
  }),
);

/** What charging a stored method means, through its own provider or another. */
function demandOfMethod({ own }: View, stored: Body, asked: string | null): Demand {
  const home = String(stored['ProviderId']);
  const isKept = own.entries.some(({ VaultId }) => VaultId === stored['VaultId']);
  if (asked !== null && asked !== home && !isKept) refuse(400, 57);
  const month = valueIn(stored, 'Card', 'ExpiryDate');
  return {
    provider: asked ?? home,
    trigger: findPan(valueIn(stored, 'Card', 'CardNumber')),
    isBank: stored['Card'] === null,
    isExpired: typeof month === 'string' && isOver(month, own.now),
    shows: { CustomerId: stored['CustomerId'] ?? null },
  };
}

/** Refuses decimals that the currency does not have. */
const checkDecimals = ({ amount, currency: code }: Details): number =>
  readMinor(amount, EXPONENTS[code.toUpperCase()] ?? 2);

const isCard = ({ Card: shown }: Body): boolean => shown !== null;

export const method = define(
  'charge a payment method',
  fc.record({ ...details, method: ref() }),
  (view, args) => {
    const { id, record } = find(view, 'methods', args.method, isCard);
    const call = makeCharge('/charge/payment_method', args, { PaymentMethodId: id });
    // How an account or a token is stored, a world does not show.
    if (record !== null && findPan(valueIn(record, 'Card', 'CardNumber')) === '') return { call };
    return {
      call,
      decide: () => {
        checkDetails(args);
        checkDecimals(args);
        return decideCharge(view, args, demandOfMethod(view, record ?? refuse(404, 56), null));
      },
    };
  },
);

export const customer = define(
  'charge a customer',
  fc.record({ ...details, customer: ref(), provider: provider() }),
  (view, args) => {
    const { id, record } = find(
      view,
      'customers',
      args.customer,
      (one) => one['DefaultPaymentMethod'] !== null,
    );
    const call = makeCharge('/charge/customer', args, { CustomerId: id, ProviderId: args.provider });
    const first = valueIn(record, 'DefaultPaymentMethod', 'PaymentMethodId');
    const stored = view.own.methods.find(({ PaymentMethodId }) => PaymentMethodId === first);
    if (stored !== undefined && findPan(valueIn(stored, 'Card', 'CardNumber')) === '') return { call };
    return {
      call,
      decide: () => {
        checkDetails(args, args.provider);
        checkDecimals(args);
        if (record === null) return refuse(404, 52);
        if (record['DateRemoved'] !== null) refuse(409, 72);
        return decideCharge(view, args, demandOfMethod(view, stored ?? refuse(400, 64), args.provider));
      },
    };
  },
);

type Change = 'capture' | 'void' | 'refund';

/** Asks the provider; a decline is noted with the charge, which stays as it was. */
function decideChange(view: View, charge: Body, asked: Change, header_: string | null, to: Body): Verdict {
  const trigger = findPan(valueIn(charge, 'PaymentInformation', 'Card', 'CardNumber'));
  const question = { asked, provider: String(charge['ProviderId']), trigger, header: header_ };
  // What is no card of the table is a token or an account, which have no effect on changes.
  const decline = askProvider(view, question);
  return {
    ...(decline !== undefined && { decline }),
    expect: (after, isDeclined) => requireChanged(view, after, charge['ChargeId'], isDeclined ? {} : to),
  };
}

/** A charge in one of some statuses: unknown is 404 with code 84, another status 409 with code 54. */
function requireStatus(charge: Body | null, ...statuses: string[]): Body {
  if (charge === null) return refuse(404, 84);
  return statuses.includes(String(charge['Status'])) ? charge : refuse(409, 54);
}

const hasStatus =
  (...statuses: string[]) =>
  ({ Status }: Body): boolean =>
    statuses.includes(String(Status));
const isAuthorised = hasStatus('Authorised');
/** The statuses in which money can leave a charge. */
const REFUNDABLE = ['SUCCESS', 'PARTIAL_REFUND'];

const exponentOf = ({ Currency }: Body): number => EXPONENTS[String(Currency)] ?? 2;

export const capture = define(
  'capture',
  fc.record({ charge: ref(), share: share(), header: header(), path: fc.constantFrom('', '/capture') }),
  (view, args) => {
    const { id, record } = find(view, 'charges', args.charge, isAuthorised);
    const Amount = textOfShare(
      args.share,
      record === null ? 1000 : minorIn(record, 'Amount'),
      record?.['Currency'],
    );
    return {
      call: post(`/charge/${id}${args.path}`, { Amount }, args.header),
      decide: () => {
        checkAmount(Amount);
        const charge = requireStatus(record, 'Authorised');
        const minor = readMinor(Amount, exponentOf(charge));
        const held = minorIn(charge, 'AuthorisationAmount');
        if (minor > held) refuse(400, 77);
        if (minor < held && charge['ProviderId'] === PROVIDER.wholeCapture) refuse(400, 78);
        return decideChange(view, charge, 'capture', args.header, {
          Status: 'SUCCESS',
          Amount: showAmount(minor, String(charge['Currency'])),
          SuccessDate: showInstant(view.own.now),
        });
      },
    };
  },
);

const decideVoid = (view: View, record: Body | null, header_: string | null): Verdict =>
  decideChange(view, requireStatus(record, 'Authorised'), 'void', header_, {
    Status: 'AUTHORISE_CANCELLED',
    VoidDate: showInstant(view.own.now),
  });

export const cancel = define('void', fc.record({ charge: ref(), header: header() }), (view, args) => {
  const { id, record } = find(view, 'charges', args.charge, isAuthorised);
  return {
    call: del(`/charge/${id}/void`, undefined, args.header),
    decide: () => decideVoid(view, record, args.header),
  };
});

function decideRefund(
  view: View,
  record: Body | null,
  amount: string | null,
  header_: string | null,
): Verdict {
  const charge = requireStatus(record, ...REFUNDABLE);
  const left = minorLeft(view, charge);
  const minor = amount === null ? left : readMinor(amount, exponentOf(charge));
  if (minor > left || minor === 0) refuse(400, 76);
  const refunded = minorIn(charge, 'RefundedAmount') + minor;
  return decideChange(view, charge, 'refund', header_, {
    Status: refunded === minorIn(charge, 'Amount') ? 'REFUND' : 'PARTIAL_REFUND',
    RefundedAmount: showAmount(refunded, String(charge['Currency'])),
  });
}

export const refund = define(
  'refund',
  fc.record({
    charge: ref(),
    share: fc.oneof(fc.constant(null), share()),
    header: header(),
    via: fc.constantFrom('query', 'body', 'undo'),
  }),
  (view, { via, header: outcome, ...args }) => {
    const { id, record } = find(view, 'charges', args.charge, hasStatus(...REFUNDABLE));
    const left = record === null ? 1000 : minorLeft(view, record);
    const amount = args.share === null ? null : textOfShare(args.share, left, record?.['Currency']);
    const isBody = amount !== null && via === 'body';
    const query = amount === null || isBody ? '' : `?Amount=${encodeURIComponent(amount)}`;
    const path = `${via === 'undo' ? '/charge/' : '/refund/'}${id}${query}`;
    return {
      call: del(path, isBody ? { Amount: amount } : undefined, outcome),
      decide: () => {
        if (amount !== null) checkAmount(amount);
        const isVoid = via === 'undo' && amount === null && record?.['Status'] === 'Authorised';
        return isVoid ? decideVoid(view, record, outcome) : decideRefund(view, record, amount, outcome);
      },
    };
  },
);

export const transfer = define(
  'transfer',
  fc.record({
    charge: ref(),
    group: fc.constantFrom('g1', 'g2', 'g3', 'g4', 'g5', 'g6'),
    /** Null: the currency of the charge. */
    currency: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: currency() }),
    parts: fc.array(fc.record({ share: share(), reference: fc.constantFrom(null, null, 't1', 't2', 't3') }), {
      maxLength: 2,
    }),
  }),
  (view, args) => {
    const { id, record } = find(view, 'charges', args.charge, hasStatus(...REFUNDABLE));
    const Currency = args.currency ?? (record === null ? 'AUD' : textIn(record, 'Currency'));
    const whole = record === null ? 1000 : minorLeft(view, record) || minorIn(record, 'Amount');
    const Transfers = args.parts.map(({ share: part, reference: Reference }) =>
      given({ Account: 'a-1', Amount: textOfShare(part, whole, record?.['Currency']), Currency, Reference }),
    ) as { readonly Amount: string; readonly Reference?: string }[];
    const ProviderId = record?.['ProviderId'] ?? PROVIDER.steady;
    const body = { GroupReference: args.group, ProviderId, ChargeId: id, Transfers };
    return {
      call: post('/transfer', body),
      decide: () => {
        const minors = readParts(
          Transfers.map(({ Amount }) => Amount),
          Currency.toUpperCase(),
        );
        const charge = requireStatus(record, ...REFUNDABLE);
        const { transfers } = view.own;
        if (transfers.some(({ GroupReference }) => GroupReference === args.group)) refuse(409, 69);
        const references = Transfers.flatMap(({ Reference }) => Reference ?? []);
        const isTaken = transfers.some(({ Reference }) => references.includes(String(Reference)));
        if (isTaken || new Set(references).size < references.length) refuse(409, 70);
        if (Currency.toUpperCase() !== charge['Currency']) refuse(400, 29);
        if (minors.reduce((sum, one) => sum + one, 0) > minorLeft(view, charge)) refuse(400, 68);
        return {
          decline: null,
          expect: (after) => {
            requireChanged(view, after, null, {});
            const sent = after.transfers
              .slice(transfers.length)
              .map((one) => minorIn({ ...one, Currency: charge['Currency'] }, 'Amount'));
            if (sent.join(',') !== minors.join(',')) throw new Error(`Transferred ${sent.join(', ')}`);
          },
        };
      },
    };
  },
);

/** The parts of a transfer in minor units. */
function readParts(amounts: readonly string[], code: string): number[] {
  const read = (exponent: number): number[] =>
    amounts.map((amount) => {
      const minor = readAmount(amount, exponent);
      return 'code' in minor ? refuse(400, 60) : minor.minor;
    });
  read(4);
  if (amounts.length > 0 && EXPONENTS[code] === undefined) refuse(400, 29);
  if (amounts.length === 0) refuse(400, 67);
  return read(EXPONENTS[code] ?? 2);
}
