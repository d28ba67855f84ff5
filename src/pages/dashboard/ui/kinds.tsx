import {
  added,
  failedRows,
  type FirstCall,
  idColumn,
  isLive,
  type Kind,
  nameOf,
  Progress,
  sourceOf,
  status,
  text,
} from './columns.js';
import { amount, dateTime, shortId } from '../text/format.js';
import { Badge } from './parts.js';
import { type Fields, fieldOf, textOf } from '../state/wire.js';

const CHARGE_STATUSES = [
  'SUCCESS',
  'FAILED',
  'PENDING',
  'Authorised',
  'AUTHORISE_CANCELLED',
  'PARTIAL_REFUND',
  'REFUND',
];
const AUTHENTICATION_STATUSES = ['CREATED', 'CHALLENGED', 'PASSED', 'FAILED', 'UNAVAILABLE'];
const STEADY = '00000000000000000000000000000001';
const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123', Cardholder: 'Jo Smith' };

export const FIRST_CHARGE: FirstCall = {
  path: '/charge/card',
  body: { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: CARD },
};

const isChallenged = (record: Fields): boolean => textOf(record, 'Status') === 'CHALLENGED';

export const KINDS: readonly Kind[] = [
  {
    view: 'charges',
    name: 'Charges',
    one: 'charge',
    many: 'charges',
    idName: 'ChargeId',
    counted: 'Charges',
    columns: [
      idColumn('charges', 'ChargeId'),
      status,
      {
        name: 'Amount',
        isNumber: true,
        show: (record) => amount(fieldOf(record, 'Amount'), fieldOf(record, 'Currency')),
      },
      { ...text('Reference', 'Reference'), isShortened: true },
      { name: 'Paid with', show: (record) => sourceOf(fieldOf(record, 'PaymentInformation')) },
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
        label: 'Expire the authorisation',
        fits: (record) => textOf(record, 'Status') === 'Authorised',
      },
      {
        action: 'charge.settle',
        label: 'Settle now',
        // A pending card charge waits for the payer to answer a challenge.
        fits: (record) =>
          textOf(record, 'Status') === 'PENDING' && textOf(record, 'PaymentInformation', 'Type') !== 'CARD',
      },
    ],
    hint: 'Send this call to create one:',
    first: FIRST_CHARGE,
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
      { name: 'Name', show: nameOf },
      text('E-mail', 'Email'),
      text('Reference', 'Reference'),
      { name: 'Pays with', show: (record) => sourceOf(fieldOf(record, 'DefaultPaymentMethod')) },
      added('DateAdded'),
    ],
    filters: [{ name: 'Search', label: 'Name, e-mail, phone or reference' }],
    hint: 'Send this call to create one with a card:',
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
    many: 'payment methods',
    idName: 'PaymentMethodId',
    counted: 'PaymentMethods',
    columns: [
      idColumn('payment-methods', 'PaymentMethodId'),
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
        label: 'Activate the agreement',
        fits: (record) => textOf(record, 'PayToStatus') === 'PENDING' && isLive(record),
      },
    ],
    hint: 'Send this call to store a card:',
    first: { path: '/payment_method/card', body: { ProviderId: STEADY, PaymentInformation: CARD } },
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
      text('Card', 'MaskedCardNumber'),
      {
        name: 'Ccv',
        needsName: true,
        show: (record) => (fieldOf(record, 'HasCvv') === true ? <Badge tone="info" text="stored" /> : 'none'),
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
    simulations: [{ action: 'vault.expire', label: 'Expire now', fits: () => true }],
    hint: 'Send this call to store a card number for an hour:',
    first: { path: '/vault', body: { CardNumber: CARD.CardNumber, ExpireSeconds: 3600 } },
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
      status,
      { name: 'Progress', show: (record) => <Progress batch={record} /> },
      { name: 'Rows', isNumber: true, needsName: true, show: (record) => textOf(record, 'Count') },
      { name: 'Failed', isNumber: true, needsName: true, show: failedRows },
      text('Description', 'Description'),
      added('DateAdded'),
    ],
    filters: [{ name: 'Description', label: 'Description' }],
    simulations: [
      {
        action: 'batch.fail',
        label: 'Fail now',
        fits: (record) => !['SUCCESS', 'FAILED'].includes(textOf(record, 'Status')),
      },
    ],
    hint: 'Send this call to charge a list of rows. Replace PAYMENT_METHOD_ID with a payment method of this world.',
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
  {
    view: 'authentications',
    name: '3-D Secure',
    one: '3-D Secure transaction',
    many: '3-D Secure transactions',
    idName: 'ThreeDSServerTransID',
    counted: 'Authentications',
    columns: [
      idColumn('authentications', 'ThreeDSServerTransID'),
      status,
      text('Challenge', 'Ending'),
      { name: 'Card', show: (record) => `${textOf(record, 'CardType')} ${textOf(record, 'CardNumber')}` },
      { name: 'Token', needsName: true, show: (record) => shortId(textOf(record, 'TokenId')) },
      { name: 'Charge', needsName: true, show: (record) => shortId(textOf(record, 'ChargeId')) },
      added('DateAdded'),
    ],
    filters: [{ name: 'Status', label: 'Status', options: AUTHENTICATION_STATUSES }],
    simulations: [
      { action: 'challenge.approve', label: 'Approve', fits: isChallenged },
      { action: 'challenge.fail', label: 'Fail', fits: isChallenged },
      { action: 'challenge.abandon', label: 'Abandon', fits: isChallenged },
      { action: 'challenge.timeOut', label: 'Time out', fits: isChallenged },
    ],
    hint: 'Send this call to charge a card that needs a challenge:',
    first: {
      path: '/charge/card',
      body: {
        ...FIRST_CHARGE.body,
        PaymentInformation: { ...CARD, CardNumber: '4000000000001133' },
        ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
      },
    },
  },
];
