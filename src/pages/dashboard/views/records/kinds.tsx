import {
  dateColumn,
  idColumn,
  isNotRemoved,
  type KindDescription,
  formatCustomerName,
  linkColumn,
  amountColumn,
  formatSource,
  statusColumn,
  readReason,
  textColumn,
} from './columns.js';
import { formatDateTime, abbreviateId } from '../../text/format.js';
import { Mark } from '../../ui/marks.js';
import { BatchBar, countRows } from './batch-bar.js';
import { type RecordJson, readField, readTextAt } from '../../state/wire.js';

export const STATUSES =
  'SUCCESS FAILED PENDING PENDING_CHECKOUT Authorised AUTHORISE_CANCELLED PARTIAL_REFUND REFUND'.split(' ');
const AUTHENTICATION_STATUSES = ['CREATED', 'CHALLENGED', 'PASSED', 'FAILED', 'UNAVAILABLE'];
const isChallenged = (record: RecordJson): boolean => readTextAt(record, 'Status') === 'CHALLENGED';

export const KINDS: readonly KindDescription[] = [
  {
    view: 'charges',
    name: 'Charges',
    one: 'charge',
    many: 'charges',
    idName: 'ChargeId',
    counted: 'Charges',
    columns: [
      textColumn('Reference', 'Reference'),
      amountColumn('Amount', 'Amount'),
      statusColumn,
      { name: 'Reason', show: readReason },
      idColumn('charges', 'ChargeId'),
      { name: 'Paid with', show: (record) => formatSource(readField(record, 'PaymentInformation')) },
      textColumn('Provider', 'Provider', 'Name'),
      dateColumn('DateAdded'),
    ],
    filters: [
      { name: 'Reference', label: 'Reference' },
      { name: 'Status', label: 'Status', options: STATUSES },
    ],
    simulations: [
      {
        action: 'authorisation.expire',
        label: 'Expire the authorisation',
        isPossible: (record) => readTextAt(record, 'Status') === 'Authorised',
      },
      {
        action: 'charge.settle',
        label: 'Settle now',
        // A pending card charge waits for the payer to answer a challenge.
        isPossible: (record) =>
          readTextAt(record, 'Status') === 'PENDING' &&
          readTextAt(record, 'PaymentInformation', 'Type') !== 'CARD',
      },
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
    filters: [{ name: 'Description', label: 'Description' }],
    simulations: [
      {
        action: 'batch.fail',
        label: 'Fail now',
        isPossible: (record) => !['SUCCESS', 'FAILED'].includes(readTextAt(record, 'Status')),
      },
    ],
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
    simulations: [
      {
        action: 'payto.activate',
        label: 'Activate the agreement',
        isPossible: (record) => readTextAt(record, 'PayToStatus') === 'PENDING' && isNotRemoved(record),
      },
    ],
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
    simulations: [{ action: 'vault.expire', label: 'Expire now', isPossible: () => true }],
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
    simulations: [
      { action: 'challenge.approve', label: 'Approve', isPossible: isChallenged },
      { action: 'challenge.fail', label: 'Fail', isPossible: isChallenged },
      { action: 'challenge.abandon', label: 'Close without answering', isPossible: isChallenged },
      { action: 'challenge.timeOut', label: 'Time out', isPossible: isChallenged },
    ],
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
    filters: [],
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
      textColumn('Reference', 'Reference'),
      linkColumn('Charge', 'charges', 'ChargeId'),
      dateColumn('DateAdded'),
    ],
    filters: [
      { name: 'Reference', label: 'Reference' },
      { name: 'Status', label: 'Status', options: ['PENDING', 'SUCCESS'] },
    ],
  },
];
