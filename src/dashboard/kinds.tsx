import {
  added,
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
import { amount, dateTime, shortId } from './format.js';
import { Badge } from './parts.js';
import { type Members, memberOf, textOf } from './wire.js';

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

/** A charge to begin with. */
export const FIRST_CHARGE: FirstCall = {
  path: '/charge/card',
  body: { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: CARD },
};

const isChallenged = (record: Members): boolean => textOf(record, 'Status') === 'CHALLENGED';

export const KINDS: readonly Kind[] = [
  {
    view: 'charges',
    name: 'Charges',
    one: 'charge',
    idName: 'ChargeId',
    counted: 'Charges',
    columns: [
      idColumn('charges', 'ChargeId'),
      status,
      {
        name: 'Amount',
        isNumber: true,
        show: (record) => amount(memberOf(record, 'Amount'), memberOf(record, 'Currency')),
      },
      { ...text('Reference', 'Reference'), isShortened: true },
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
        // A card's charge waits for its payer, who answers a challenge.
        fits: (record) =>
          textOf(record, 'Status') === 'PENDING' && textOf(record, 'PaymentInformation', 'Type') !== 'CARD',
      },
    ],
    hint: 'Send one:',
    first: FIRST_CHARGE,
    related: [],
  },
  {
    view: 'customers',
    name: 'Customers',
    one: 'customer',
    idName: 'CustomerId',
    counted: 'Customers',
    columns: [
      idColumn('customers', 'CustomerId'),
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
    counted: 'VaultEntries',
    columns: [
      idColumn('vault', 'VaultId'),
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
    counted: 'Batches',
    columns: [
      idColumn('batches', 'BatchId'),
      status,
      { name: 'Progress', show: (record) => <Progress batch={record} /> },
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
  {
    view: 'authentications',
    name: '3-D Secure',
    one: 'transaction of 3-D Secure',
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
      { action: 'challenge.abandon', label: 'Leave', fits: isChallenged },
      { action: 'challenge.timeOut', label: 'Let it time out', fits: isChallenged },
    ],
    hint: 'Charge a card that needs a challenge:',
    first: {
      path: '/charge/card',
      body: {
        ...FIRST_CHARGE.body,
        PaymentInformation: { ...CARD, CardNumber: '4000000000001133' },
        ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
      },
    },
    related: [],
  },
];
