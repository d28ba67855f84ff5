import {
  dateColumn,
  idColumn,
  type KindDescription,
  linkColumn,
  amountColumn,
  referenceColumn,
  statusColumn,
  readReason,
  textColumn,
} from './columns.js';
import { formatDateTime, abbreviateId } from '../../text/format.js';
import { formatCustomerName, formatSource } from '../../text/names.js';
import { Mark } from '../../ui/marks.js';
import { BatchBar, countRows } from './batch-bar.js';
import { store } from '../../state/store.js';
import { readField, readTextAt, type TriggersResponse } from '../../state/wire.js';
import type { ListFilter } from '../../ui/fields.js';

export const STATUSES =
  'SUCCESS FAILED PENDING PENDING_CHECKOUT Authorised AUTHORISE_CANCELLED PARTIAL_REFUND REFUND'.split(' ');
const AUTHENTICATION_STATUSES = ['CREATED', 'CHALLENGED', 'PASSED', 'FAILED', 'UNAVAILABLE'];

const CONTAINS: ListFilter = { name: 'Contains', label: 'A part of the reference, text or identifier' };

const listProviders = (): Readonly<Record<string, string>> => {
  const { data } = store.cache.read<TriggersResponse>('/triggers', 'fixed');
  return Object.fromEntries(
    (data?.Providers ?? []).map(({ ProviderId, Name }) => [ProviderId, Name ?? ProviderId]),
  );
};

export const KINDS: readonly KindDescription[] = [
  {
    view: 'charges',
    name: 'Charges',
    one: 'charge',
    many: 'charges',
    idName: 'ChargeId',
    counted: 'Charges',
    columns: [
      referenceColumn,
      amountColumn('Amount', 'Amount'),
      statusColumn,
      { name: 'Reason', show: readReason },
      idColumn('charges', 'ChargeId'),
      { name: 'Paid with', show: (record) => formatSource(readField(record, 'PaymentInformation')) },
      textColumn('Provider', 'Provider', 'Name'),
      dateColumn('DateAdded'),
    ],
    filters: [
      CONTAINS,
      { name: 'Status', label: 'Status', options: STATUSES },
      { name: 'ProviderId', label: 'Provider', read: listProviders },
      { name: 'Currency', label: 'Currency', type: 'short' },
      { name: 'AmountGreaterThan', label: 'More than', type: 'short' },
      { name: 'AmountLessThan', label: 'Less than', type: 'short' },
      { name: 'AddedAfter', label: 'From', type: 'date' },
      { name: 'AddedBefore', label: 'Before', type: 'date' },
    ],
  },
  {
    view: 'batches',
    name: 'Batches',
    one: 'batch',
    many: 'batches',
    idName: 'BatchId',
    counted: 'Batches',
    columns: [
      idColumn('batches', 'BatchId'),
      statusColumn,
      { name: 'Progress', show: (record) => <BatchBar batch={record} /> },
      { name: 'Rows', isNumber: true, show: (record) => readTextAt(record, 'Count') },
      { name: 'Failed', isNumber: true, show: (record) => countRows(record).bad },
      textColumn('Description', 'Description'),
      dateColumn('DateAdded'),
    ],
    filters: [CONTAINS],
    related: [['charges', 'Charges']],
  },
  {
    view: 'customers',
    name: 'Customers',
    one: 'customer',
    many: 'customers',
    idName: 'CustomerId',
    counted: 'Customers',
    columns: [
      idColumn('customers', 'CustomerId'),
      { name: 'Name', show: (record) => <bdi>{formatCustomerName(record)}</bdi> },
      textColumn('E-mail', 'Email'),
      textColumn('Reference', 'Reference'),
      { name: 'Pays with', show: (record) => formatSource(readField(record, 'DefaultPaymentMethod')) },
      dateColumn('DateAdded'),
    ],
    filters: [{ name: 'Search', label: 'Name, e-mail, phone or reference' }],
    related: [
      ['charges', 'Charges'],
      ['payment-methods', 'Payment methods'],
    ],
  },
  {
    view: 'payment-methods',
    name: 'Cards',
    one: 'payment method',
    many: 'payment methods',
    idName: 'PaymentMethodId',
    counted: 'PaymentMethods',
    columns: [
      idColumn('payment-methods', 'PaymentMethodId'),
      { name: 'Source', show: formatSource },
      textColumn('Cardholder', 'Card', 'Cardholder'),
      textColumn('Expires', 'Card', 'ExpiryDate'),
      linkColumn('Customer', 'customers', 'CustomerId'),
      textColumn('Provider', 'Provider', 'Name'),
      dateColumn('DateAdded'),
    ],
    filters: [{ name: 'Search', label: 'Cardholder, number or customer' }],
    related: [['charges', 'Charges']],
  },
  {
    view: 'vault',
    name: 'Vault',
    one: 'vault entry',
    many: 'vault entries',
    idName: 'VaultId',
    counted: 'VaultEntries',
    columns: [
      idColumn('vault', 'VaultId'),
      textColumn('Card', 'MaskedCardNumber'),
      {
        name: 'Ccv',
        show: (record) =>
          readField(record, 'HasCvv') === true ? <Mark tone="info" text="stored" /> : 'none',
      },
      {
        name: 'Expires',
        isNumber: true,
        show: (record) => formatDateTime(readTextAt(record, 'ExpireDate')) || 'never',
      },
      dateColumn('CreatedDate'),
    ],
    filters: [],
  },
  {
    view: 'authentications',
    name: '3-D Secure',
    one: '3-D Secure transaction',
    many: '3-D Secure transactions',
    idName: 'ThreeDSServerTransID',
    counted: 'Authentications',
    columns: [
      idColumn('authentications', 'ThreeDSServerTransID'),
      statusColumn,
      textColumn('Challenge', 'Ending'),
      {
        name: 'Card',
        show: (record) => `${readTextAt(record, 'CardType')} ${readTextAt(record, 'CardNumber')}`,
      },
      { name: 'Token', show: (record) => abbreviateId(readTextAt(record, 'TokenId')) },
      linkColumn('Charge', 'charges', 'ChargeId'),
      dateColumn('DateAdded'),
    ],
    filters: [{ name: 'Status', label: 'Status', options: AUTHENTICATION_STATUSES }],
  },
  {
    view: 'subscriptions',
    name: 'Subscriptions',
    one: 'subscription',
    many: 'subscriptions',
    idName: 'SubscriptionId',
    counted: 'Subscriptions',
    columns: [
      idColumn('subscriptions', 'SubscriptionId'),
      statusColumn,
      amountColumn('Amount', 'Amount'),
      {
        name: 'Every',
        show: (record) => `${readTextAt(record, 'Frequency')} ${readTextAt(record, 'Interval')}`,
      },
      linkColumn('Payment method', 'payment-methods', 'PaymentMethodId'),
      {
        name: 'Next charge',
        isNumber: true,
        show: (record) => formatDateTime(readTextAt(record, 'NextChargeDate')),
      },
      dateColumn('CreatedDate'),
    ],
    filters: [{ name: 'Status', label: 'Status', options: ['Active', 'Suspended', 'Cancelled', 'Complete'] }],
    related: [['charges', 'Charges']],
  },
  {
    view: 'payment-links',
    name: 'Links',
    one: 'payment link',
    many: 'payment links',
    idName: 'PaymentLinkId',
    counted: 'PaymentLinks',
    columns: [
      idColumn('payment-links', 'PaymentLinkId'),
      textColumn('Title', 'Title'),
      amountColumn('Amount', 'Amount'),
      textColumn('Paid', 'CountPayments'),
      { name: 'Page', show: (record) => <a href={readTextAt(record, 'Url')}>Open</a> },
      dateColumn('DateAdded'),
    ],
    filters: [CONTAINS],
  },
  {
    view: 'transfers',
    name: 'Transfers',
    one: 'transfer',
    many: 'transfers',
    idName: 'TransferId',
    counted: 'Transfers',
    columns: [
      idColumn('transfers', 'TransferId'),
      statusColumn,
      amountColumn('Amount', 'Amount'),
      textColumn('Account', 'Account'),
      referenceColumn,
      linkColumn('Charge', 'charges', 'ChargeId'),
      dateColumn('DateAdded'),
    ],
    filters: [CONTAINS, { name: 'Status', label: 'Status', options: ['PENDING', 'SUCCESS'] }],
  },
];
