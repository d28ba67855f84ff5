import { TRANSITIONS } from '../charges/record.js';
import { OPERATIONS } from '../scenarios/operations.js';
import { SUBSCRIPTION_TRANSITIONS } from '../subscriptions/record.js';
import { TOKEN_STATUSES } from '../tokens/record.js';
import { TRANSFER_TRANSITIONS } from '../transfers/record.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../http/list-fields.js';
import type { Said, Schema } from './members.js';

const decimal: Schema = { type: 'string', pattern: '^\\d+(\\.\\d+)?$' };
const day: Schema = { type: 'string', format: 'date' };
const words = (...all: readonly string[]): Schema => ({ type: 'string', enum: all });
const states = (table: object): Schema => words(...Object.keys(table));
/** Either way round: `-` in front is descending. */
const order = (...by: readonly string[]): Said => ({
  says: 'The order; - in front: descending. Newest first unless told otherwise.',
  schema: words(...by.flatMap((one) => [one, `-${one}`])),
});

/**
 * Each parameter of a query by its name. A name that means different things stands here with its operation in front.
 */
export const PARAMETERS: Readonly<Record<string, Said>> = {
  AddedAfter: { says: 'Made after this instant.' },
  AddedBefore: { says: 'Made before this instant.' },
  Amount: { says: 'How much; all that is left unless told otherwise.', schema: decimal },
  'info.Amount': { says: 'Taken, and without effect here.', schema: decimal },
  AmountGreaterThan: { says: 'Of more than this.', schema: decimal },
  AmountLessThan: { says: 'Of less than this.', schema: decimal },
  BatchId: { says: 'Made by this batch.' },
  CardNumber: { says: 'The leading digits of the card number, or its mask.', schema: { type: 'string' } },
  CardProviderId: { says: 'Whose provider for 3-D Secure is asked for.', schema: { type: 'string' } },
  CardType: { says: 'The scheme, such as VISA.' },
  Cardholder: { says: 'The name on the card.' },
  Comment: { says: 'Why the money goes back.' },
  Currency: { says: 'Of this currency.', schema: { type: 'string', pattern: '^[A-Z]{3}$' } },
  CustomerId: { says: 'Of this customer.' },
  Description: { says: 'With this description.' },
  Email: { says: 'With this e-mail address.' },
  EndDate: { says: 'The last day; without one, up to now.', schema: day },
  Format: { says: 'HAR 1.2, or a trace that playmoney replay plays.', schema: words('har', 'trace') },
  Id: { says: 'The subscription itself.' },
  IncludeRemoved: { says: 'Removed customers as well.', schema: { type: 'boolean' } },
  Key: { says: 'The key that the page begins with.' },
  Limit: {
    says: 'How many at most.',
    schema: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  },
  Method: { says: 'The method of the call.' },
  Name: { says: 'A part of first and last name, in any case.' },
  Operation: { says: 'The operation of the call.', schema: words(...OPERATIONS) },
  Path: { says: 'The path of the call; * stands for any characters.' },
  PaymentMethodId: { says: 'Of this payment method.' },
  PaymentType: { says: 'The way of paying: CARD, BANK_ACCOUNT or PAYTO.' },
  ProviderId: { says: 'Of this provider.', schema: { type: 'string', minLength: 32, maxLength: 36 } },
  Reference: { says: 'With exactly this reference.' },
  Search: { says: 'A part of any name, address, reference.' },
  Since: { says: 'Not before this instant.' },
  Skip: { says: 'How many are left out first.', schema: { type: 'integer', minimum: 0, default: 0 } },
  Sort: { says: 'How one client library calls SortBy.', schema: { type: 'string' } },
  SortBy: order('Date'),
  'charge.SortBy': order('Date', 'Amount'),
  'paymentLink.SortBy': order('Date', 'Title'),
  'subscription.SortBy': order('Date', 'Status', 'Currency'),
  StartDate: { says: 'The first day.', schema: day },
  'charge.Status': { says: 'With this status.', schema: states(TRANSITIONS) },
  'subscription.Status': { says: 'With this status.', schema: states(SUBSCRIPTION_TRANSITIONS) },
  'token.Status': { says: 'With this status.', schema: words(...TOKEN_STATUSES) },
  'transfer.Status': { says: 'With this status.', schema: states(TRANSFER_TRANSITIONS) },
  'journal.Status': {
    says: 'With this status; 0: without an answer.',
    schema: { type: 'integer', minimum: 0, maximum: 599 },
  },
  'webhooks.Status': {
    says: 'What became of it.',
    schema: words('pending', 'delivered', 'failed', 'withheld'),
  },
  SubscriptionId: { says: 'Made by this subscription.' },
  Trigger: { says: 'What decided the answer.' },
  Type: { says: 'Told of this topic.' },
};
