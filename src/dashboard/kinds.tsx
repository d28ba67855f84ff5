import type { Child } from 'hono/jsx/dom';

import { amount, dateTime, shortId } from './format.js';
import { Badge, Status } from './parts.js';
import { type Members, memberOf, textOf } from './wire.js';

/** A column of a list: its name, and what stands in it. */
export interface Column {
  readonly name: string;
  readonly show: (record: Members) => Child;
  readonly isNumber?: true;
  /** Whether it says nothing without its name, where a list has no heads. */
  readonly needsName?: true;
  /** Whether it takes a line of its own where there is room. */
  readonly isWide?: true;
  /** Whether it leads to the record. */
  readonly isLink?: true;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** What may be asked for; left out: any text. */
  readonly options?: readonly string[];
}

/** What can be made to happen to a record at once. */
export interface Simulation {
  readonly action: string;
  readonly label: string;
  readonly fits: (record: Members) => boolean;
}

/** How the records of a kind are shown. */
export interface Kind {
  /** As addresses have it, those of the page and of the sandbox. */
  readonly view: string;
  readonly name: string;
  /** What one is called. */
  readonly one: string;
  /** The member that identifies it. */
  readonly idName: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly simulations: readonly Simulation[];
  /** Where there is none: what to do, and a call that does it. */
  readonly hint: string;
  readonly first: { readonly path: string; readonly body: object };
  /** Lists of other kinds that the record can be looked for in. */
  readonly related: readonly (readonly [view: string, label: string])[];
}

const CHARGE_STATUSES = [
  'SUCCESS',
  'FAILED',
  'PENDING',
  'Authorised',
  'AUTHORISE_CANCELLED',
  'PARTIAL_REFUND',
  'REFUND',
];
const STEADY = '00000000000000000000000000000001';
const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123', Cardholder: 'Jo Smith' };

const idColumn = (name: string): Column => ({
  name: 'Id',
  isLink: true,
  show: (record) => <code title={textOf(record, name)}>{shortId(textOf(record, name))}</code>,
});
const text = (name: string, ...path: readonly string[]): Column => ({
  name,
  show: (record) => textOf(record, ...path),
});
const status: Column = { name: 'Status', show: (record) => <Status of={textOf(record, 'Status')} /> };
const added = (name: string): Column => ({
  name: 'Added',
  isNumber: true,
  show: (record) => dateTime(textOf(record, name)),
});

/** The card, the account or the agreement that is charged, as it may be shown. */
function sourceOf(holder: unknown): string {
  const card = textOf(holder, 'Card', 'CardNumber');
  if (card !== '') return `${textOf(holder, 'Card', 'Type')} ${card}`;
  const account = textOf(holder, 'BankPayment', 'AccountNumber');
  return account === '' ? textOf(holder, 'Type') : `Account ${account}`;
}

function nameOf(record: Members): string {
  return `${textOf(record, 'FirstName')} ${textOf(record, 'LastName')}`.trim();
}

function shareOf(record: Members): number {
  const share = memberOf(record, 'Progress');
  return typeof share === 'number' ? share : 0;
}

/** How far a batch is. */
function Progress({ batch }: { batch: Members }) {
  const percent = Math.floor(shareOf(batch) * 100);
  const id = textOf(batch, 'BatchId');
  return (
    <span class="progress">
      <progress max={100} value={percent} aria-label={`Progress of ${id}`} /> <span>{percent} %</span>
    </span>
  );
}

const isLive = (record: Members): boolean => memberOf(record, 'DateRemoved') === null;

export const KINDS: readonly Kind[] = [
  {
    view: 'charges',
    name: 'Charges',
    one: 'charge',
    idName: 'ChargeId',
    columns: [
      idColumn('ChargeId'),
      status,
      {
        name: 'Amount',
        isNumber: true,
        show: (record) => amount(memberOf(record, 'Amount'), memberOf(record, 'Currency')),
      },
      text('Reference', 'Reference'),
      { name: 'Paid by', show: (record) => sourceOf(memberOf(record, 'PaymentInformation')) },
      text('Provider', 'Provider', 'Name'),
      added('DateAdded'),
    ],
    filters: [
      { name: 'Reference', label: 'Reference' },
      { name: 'Status', label: 'Status', options: CHARGE_STATUSES },
    ],
    simulations: [
      {
        action: 'authorisation.expire',
        label: 'Let the authorisation expire',
        fits: (record) => textOf(record, 'Status') === 'Authorised',
      },
      {
        action: 'charge.settle',
        label: 'Settle now',
        fits: (record) => textOf(record, 'Status') === 'PENDING',
      },
    ],
    hint: 'Send one:',
    first: {
      path: '/charge/card',
      body: { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: CARD },
    },
    related: [],
  },
  {
    view: 'customers',
    name: 'Customers',
    one: 'customer',
    idName: 'CustomerId',
    columns: [
      idColumn('CustomerId'),
      { name: 'Name', show: nameOf },
      text('E-mail', 'Email'),
      text('Reference', 'Reference'),
      { name: 'Pays by', show: (record) => sourceOf(memberOf(record, 'DefaultPaymentMethod')) },
      added('DateAdded'),
    ],
    filters: [{ name: 'Search', label: 'Name, e-mail, phone or reference' }],
    simulations: [],
    hint: 'Make one of a card:',
    first: {
      path: '/customer/card',
      body: {
        ProviderId: STEADY,
        FirstName: 'Jo',
        LastName: 'Smith',
        Email: 'jo@example.com',
        PaymentInformation: CARD,
      },
    },
    related: [
      ['charges', 'Charges'],
      ['payment-methods', 'Payment methods'],
    ],
  },
  {
    view: 'payment-methods',
    name: 'Payment methods',
    one: 'payment method',
    idName: 'PaymentMethodId',
    columns: [
      idColumn('PaymentMethodId'),
      { name: 'Source', show: sourceOf },
      text('Cardholder', 'Card', 'Cardholder'),
      text('Expires', 'Card', 'ExpiryDate'),
      { name: 'Customer', needsName: true, show: (record) => shortId(textOf(record, 'CustomerId')) },
      text('Provider', 'Provider', 'Name'),
      added('DateAdded'),
    ],
    filters: [{ name: 'Search', label: 'Cardholder, number or customer' }],
    simulations: [
      {
        action: 'payto.activate',
        label: 'Let the payer agree',
        fits: (record) => textOf(record, 'PayToStatus') === 'PENDING' && isLive(record),
      },
    ],
    hint: 'Store a card:',
    first: { path: '/payment_method/card', body: { ProviderId: STEADY, PaymentInformation: CARD } },
    related: [['charges', 'Charges']],
  },
  {
    view: 'vault',
    name: 'Vault',
    one: 'vault entry',
    idName: 'VaultId',
    columns: [
      idColumn('VaultId'),
      text('Card', 'MaskedCardNumber'),
      {
        name: 'Ccv',
        needsName: true,
        show: (record) =>
          memberOf(record, 'HasCvv') === true ? <Badge tone="info" text="stored" /> : 'none',
      },
      {
        name: 'Expires',
        isNumber: true,
        needsName: true,
        show: (record) => dateTime(textOf(record, 'ExpireDate')) || 'never',
      },
      added('CreatedDate'),
    ],
    filters: [],
    simulations: [{ action: 'vault.expire', label: 'Let it expire', fits: () => true }],
    hint: 'Store a card number for an hour:',
    first: { path: '/vault', body: { CardNumber: CARD.CardNumber, ExpireSeconds: 3600 } },
    related: [],
  },
  {
    view: 'batches',
    name: 'Batches',
    one: 'batch',
    idName: 'BatchId',
    columns: [
      idColumn('BatchId'),
      status,
      { name: 'Progress', isWide: true, show: (record) => <Progress batch={record} /> },
      { name: 'Rows', isNumber: true, needsName: true, show: (record) => textOf(record, 'Count') },
      { name: 'Failed', isNumber: true, needsName: true, show: (record) => textOf(record, 'Failure') },
      text('Description', 'Description'),
      added('DateAdded'),
    ],
    filters: [{ name: 'Description', label: 'Description' }],
    simulations: [
      {
        action: 'batch.fail',
        label: 'Let it fail now',
        fits: (record) => !['SUCCESS', 'FAILED'].includes(textOf(record, 'Status')),
      },
    ],
    hint: 'Send rows to be charged; each names a payment method of this world.',
    first: {
      path: '/batch/transaction/payment_method',
      body: {
        Count: 1,
        Description: 'rent',
        Batch: 'PaymentMethodId,Amount,Currency,Reference\nPAYMENT_METHOD_ID,12.50,AUD,flat-1',
      },
    },
    related: [['charges', 'Charges']],
  },
];
