import type { Body } from './calls.js';
import { DAY, EXPONENTS } from './spec.js';

/**
 * The law of money, whatever a model says. Money comes in once, by a captured charge, and is then in one place: back with the payer
 * (refunds), with others (transfers), or with the merchant (settlements). For each charge, in its currency, and so for each currency:
 *
 * 1. nothing comes in before the capture, and at most what was authorised;
 * 2. what came in ≥ refunds + transfers;
 * 3. settlements = what came in − refunds − transfers, of all days that are over;
 * 4. a successful row of a batch is one charge, of the row's amount, and each charge of a batch that was not declined is one row;
 * 5. a subscription makes charges of its amount, at most as many as its EndAfter;
 * 6. a payment link counts the charges that were paid by it, each of its amount, at most as many as its LimitPayments;
 * 7. a transaction of 3-D Secure lets one charge pass, and none while it waits or after it failed.
 */

/** All that a world shows of money, as its answers have it. */
export interface Shown {
  readonly now: number;
  readonly charges: readonly Body[];
  readonly transfers: readonly Body[];
  readonly settlements: readonly Body[];
  readonly batches: readonly Body[];
  readonly subscriptions: readonly Body[];
  readonly links: readonly Body[];
  readonly transactions: readonly Body[];
}

/** What must be so of some record; what is said of it is that it is not. */
type Law = readonly [isSo: boolean, law: string, about: unknown];

function firstBroken(laws: readonly Law[]): string | null {
  const broken = laws.find(([isSo]) => !isSo);
  return broken === undefined ? null : `Not so: ${broken[1]}: ${JSON.stringify(broken[2])}`;
}

/** Which law a charge breaks by itself; null: none. */
export function wrongMoney(charge: Body): string | null {
  return firstBroken(lawsOfCharge(moneyOf(charge, { now: 0, transfers: [], settlements: [] })));
}

/** The first law that is broken; null: none. */
export function brokenLaw(shown: Shown): string | null {
  const money = shown.charges.map((charge) => moneyOf(charge, shown));
  const laws = [
    ...money.flatMap(lawsOfCharge),
    ...money.flatMap(lawsOfLeaving),
    ...shown.transfers.flatMap((transfer) => lawsOfTransfer(transfer, shown)),
    ...shown.batches.flatMap((batch) => lawsOfBatch(batch, shown)),
    ...shown.subscriptions.flatMap((plan) => lawsOfSubscription(plan, shown)),
    ...shown.links.flatMap((link) => lawsOfLink(link, shown)),
    ...shown.transactions.flatMap((transaction) => lawsOfTransaction(transaction, shown)),
  ];
  return firstBroken(laws);
}

const textOf = (body: Body, name: string): string => String(body[name]);
const listOf = (body: Body, name: string): readonly Body[] => body[name] as Body[];

/** An amount of an answer in minor units. */
function minorOf(amount: unknown, currency: unknown): number {
  return Math.round(Number(amount) * 10 ** (EXPONENTS[String(currency)] ?? 2));
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
const CAPTURED = ['SUCCESS', 'PARTIAL_REFUND', 'REFUND'];

/** A movement of a charge's money, and the day on which it reaches or leaves the merchant: the one after it. */
interface Move {
  readonly minor: number;
  readonly settles: number;
}

/** What moved in and out of a charge. */
interface Money {
  readonly charge: Body;
  readonly captured: number;
  readonly refunds: readonly Move[];
  readonly transfers: readonly Move[];
  /** What settled by now, and what settlements say of it. */
  readonly due: number;
  readonly settled: number;
}

type Around = Pick<Shown, 'now' | 'transfers' | 'settlements'>;

function moneyOf(charge: Body, { now, transfers, settlements }: Around): Money {
  const { ChargeId: id, Currency: currency, SuccessDate: success } = charge;
  const isIn = CAPTURED.includes(textOf(charge, 'Status'));
  const captured = isIn ? minorOf(charge['Amount'], currency) : 0;
  const moved = (one: Body, date: unknown): Move => ({
    minor: minorOf(one['Amount'], currency),
    settles: (Math.floor(Date.parse(String(date)) / DAY) + 1) * DAY,
  });
  const ofCharge = (all: readonly Body[]): readonly Body[] => all.filter(({ ChargeId }) => ChargeId === id);
  const refunds = listOf(charge, 'Refunds').map((one) => moved(one, one['DateAdded']));
  const sent = ofCharge(transfers).map((one) => moved(one, one['DateAdded']));
  const until = (moves: readonly Move[]): number =>
    sum(moves.filter(({ settles }) => settles <= now).map(({ minor }) => minor));
  const capture = isIn ? [moved(charge, success)] : [];
  return {
    charge,
    captured,
    refunds,
    transfers: sent,
    due: until(capture) - until(refunds) - until(sent),
    settled: sum(ofCharge(settlements).map(({ Amount }) => minorOf(Amount, currency))),
  };
}

function lawsOfCharge({ charge, captured, refunds }: Money): Law[] {
  const { Currency: currency, AuthorisationAmount: held } = charge;
  const status = textOf(charge, 'Status');
  const isIn = CAPTURED.includes(status);
  const refunded = sum(refunds.map(({ minor }) => minor));
  const about = charge;
  return [
    [
      held === null || captured <= minorOf(held, currency),
      'a charge captures at most what was authorised',
      about,
    ],
    [isIn === (charge['SuccessDate'] !== null), 'a charge has a SuccessDate once it was captured', about],
    [
      (status === 'AUTHORISE_CANCELLED') === (charge['VoidDate'] !== null),
      'a charge has a VoidDate once all was released',
      about,
    ],
    [refunds.every(({ minor }) => minor > 0), 'a refund returns something', about],
    [refunded === minorOf(charge['RefundedAmount'] ?? 0, currency), 'refunds add up', about],
    [(status === 'REFUND') === (refunded > 0 && refunded === captured), 'REFUND is all of it', about],
    [
      (status === 'PARTIAL_REFUND') === (refunded > 0 && refunded < captured),
      'PARTIAL_REFUND is a part of it',
      about,
    ],
    [refunded <= captured, 'refunds take at most what came in', about],
  ];
}

function lawsOfLeaving({ charge, captured, refunds, transfers, due, settled }: Money): Law[] {
  const out = sum([...refunds, ...transfers].map(({ minor }) => minor));
  return [
    [out <= captured, 'refunds and transfers take at most what came in', { charge, transfers }],
    [settled === due, 'settlements are what came in without refunds and transfers', { charge, due, settled }],
  ];
}

function lawsOfTransfer(transfer: Body, { charges, transfers }: Shown): Law[] {
  const { Currency: currency, GroupReference: group } = transfer;
  const charge = charges.find(({ ChargeId }) => ChargeId === transfer['ChargeId']);
  const parts = transfers.filter(({ GroupReference }) => GroupReference === group);
  const total = sum(parts.map(({ Amount }) => minorOf(Amount, currency)));
  return [
    [charge?.['Currency'] === currency, 'a transfer is in the currency of its charge', transfer],
    [minorOf(transfer['Amount'], currency) > 0, 'a transfer moves something', transfer],
    [total === minorOf(transfer['TotalAmount'], currency), 'the transfers of a group add up', transfer],
  ];
}

/** A batch's rows have no quotes here: the cells of the row, its status, its TransactionId, and the rest. */
function lawsOfBatch(batch: Body, { charges }: Shown): Law[] {
  const lines = textOf(batch, 'Results').split('\n').slice(1);
  const paid = lines.map((line) => line.split(',')).filter((cells) => (cells[5] ?? '') !== '');
  const ids = paid.map((cells) => cells[5]);
  const own = charges.filter(({ BatchId }) => BatchId === batch['BatchId']);
  const good = own.filter(({ Status }) => Status !== 'FAILED');
  const isOfRow = ([, amount, currency = '', , , id]: readonly string[]): boolean => {
    const charge = own.find(({ ChargeId }) => ChargeId === id);
    const code = currency.toUpperCase();
    return charge?.['Currency'] === code && minorOf(charge['Amount'], code) === minorOf(amount, code);
  };
  return [
    [new Set(ids).size === ids.length, 'a charge is one row of a batch', batch],
    [paid.every(isOfRow), 'a row is charged what it asks for', batch],
    [
      good.every(({ ChargeId }) => ids.includes(String(ChargeId))),
      'a charge of a batch is in its Results',
      batch,
    ],
    [paid.length === batch['Success'], 'the rows with a charge are the Success of a batch', batch],
  ];
}

function lawsOfSubscription(plan: Body, { charges }: Shown): Law[] {
  const { SubscriptionId: id, Amount: amount, Currency: currency } = plan;
  const own = charges.filter(({ SubscriptionId }) => SubscriptionId === id);
  const count = (plan['EndAfter'] as Body | null)?.['Count'] ?? Infinity;
  const good = own.filter(({ Status }) => Status !== 'FAILED');
  return [
    [
      own.every((charge) => charge['Amount'] === amount && charge['Currency'] === currency),
      'a subscription charges its amount',
      { plan, own },
    ],
    [good.length <= Number(count), 'a subscription charges at most its Count', { plan, own }],
  ];
}

/** Links with one InvoiceId have their charges in common. */
function lawsOfLink(link: Body, { charges, links }: Shown): Law[] {
  const referenceOf = (one: Body): unknown => one['InvoiceId'] ?? one['PaymentLinkId'];
  const reference = referenceOf(link);
  const same = links.filter((one) => referenceOf(one) === reference);
  const paid = charges.filter(({ Reference, Status }) => Reference === reference && Status !== 'FAILED');
  const isOfOne = (charge: Body): boolean =>
    same.some(
      ({ Amount, Currency }) =>
        Currency === charge['Currency'] && (Amount === null || Amount === charge['Amount']),
    );
  const about = { link, paid };
  return [
    [
      sum(same.map((one) => Number(one['CountPayments']))) === paid.length,
      'a link counts its charges',
      about,
    ],
    [paid.every(isOfOne), 'a link charges its amount', about],
    [
      Number(link['CountPayments']) <= Number(link['LimitPayments'] ?? Infinity),
      'a link is paid at most as often as it may',
      about,
    ],
  ];
}

function lawsOfTransaction(transaction: Body, { charges, transactions }: Shown): Law[] {
  const { ChargeId: id, Status: status } = transaction;
  if (id === null) return [];
  const charge = charges.find(({ ChargeId }) => ChargeId === id);
  const about = { transaction, charge };
  return [
    [
      transactions.filter(({ ChargeId }) => ChargeId === id).length === 1,
      'a charge uses one transaction',
      about,
    ],
    [status !== 'FAILED' || charge?.['Status'] === 'FAILED', 'no charge passes a failed transaction', about],
    [status !== 'CHALLENGED' || charge?.['Status'] === 'PENDING', 'a charge waits for its challenge', about],
  ];
}
