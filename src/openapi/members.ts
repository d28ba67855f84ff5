import { ACTION_NAMES } from '../control/scenario/simulate.js';
import { DURATION_MAX_MS, formatDuration } from '../core/time.js';
import { TOPICS } from '../webhook-subscriptions/record.js';
import { OPERATIONS } from '../scenarios/operations.js';

/** A JSON Schema, as far as it is looked into here. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a reading function hides of a member: what is sent, in words and as a schema. */
export interface Said {
  /** Empty where the name says all. */
  readonly says: string;
  /** What is left out follows from the member itself: a text, a flag, a date-time or one of its words. */
  readonly schema?: Schema;
}

const DECIMAL = '^\\d+(\\.\\d+)?$';
/** A decimal as a text or a number. */
const decimal: Schema = { type: ['string', 'number'], pattern: DECIMAL };
/** A whole number, or its digits as a text. */
const whole = (minimum: number, maximum?: number): Schema => ({
  type: ['integer', 'string'],
  pattern: '^\\d+$',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
const map: Schema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};
const anything: Schema = {};
const anyObject: Schema = { type: 'object' };
const duration: Schema = { type: 'string', examples: ['250ms', '30s', '2h', 'PT2H'] };

/**
 * Each member of a request by its name. A name that means different things stands here with what it is a member of in
 * front: an object, or an operation.
 */
export const MEMBERS: Readonly<Record<string, Said>> = {
  Account: { says: 'The account that the money goes to.' },
  AccountName: { says: 'The name of the account’s holder.' },
  AccountNumber: { says: '4 to 34 letters or digits.', schema: { type: 'string' } },
  Action: { says: 'What happens.', schema: { type: 'string', enum: ACTION_NAMES } },
  AdditionalParameters: { says: 'What the provider is set up with, beside its credentials.', schema: map },
  Address: { says: 'A postal address.' },
  AllowedPaymentTypes: {
    says: 'Which ways to pay the page offers.',
    schema: { type: 'array', items: { type: 'string' } },
  },
  Amount: {
    says: 'In major units, such as 15.50; at most as many decimals as the currency has.',
    schema: decimal,
  },
  'Match.Amount': { says: 'An amount in major units, such as 15.5.', schema: decimal },
  AuthenticationParameters: { says: 'Credentials at the provider; any will do here.', schema: map },
  Authorization: { says: 'Sent as the Authorization header of each delivery, as it is.' },
  BankCode: { says: 'A BSB, sort code, routing number, IFSC or BIC.', schema: { type: 'string' } },
  BankPaymentInformation: { says: 'A bank account.' },
  Batch: {
    says: 'CSV with the header PaymentMethodId,Amount,Currency,Reference.',
    schema: { type: 'string' },
  },
  Body: { says: 'Members that the body has, of any kind and depth.', schema: anyObject },
  By: { says: `How far, up to ${formatDuration(DURATION_MAX_MS)}.`, schema: duration },
  CallToAction: { says: 'Which button the page has; Pay unless told otherwise.' },
  Capture: { says: 'False: only authorise. True unless told otherwise.' },
  Card: { says: 'What changes of the card.' },
  CardNumber: {
    says: '12 to 19 digits with a right check digit; blanks and hyphens may stand between groups.',
    schema: { type: 'string' },
  },
  'Match.CardNumber': { says: 'A card number; * stands for any characters.' },
  CardScheme: { says: 'A scheme such as VISA.' },
  Cardholder: { says: 'The name on the card.' },
  Ccv: {
    says: 'Three digits, four for American Express.',
    schema: { type: 'string', pattern: '^\\d{3,4}$' },
  },
  ChargeId: { says: 'The charge that is paid out.' },
  City: { says: '' },
  Comment: { says: 'Why the money goes back.' },
  ConfirmationMessage: { says: 'Shown once it is paid.' },
  CostData: { says: 'What the provider takes for a charge.' },
  'EndAfter.Count': { says: 'Ends after so many charges.', schema: whole(1, 1_000_000) },
  Count: { says: 'How many rows the batch has.', schema: whole(0) },
  'awaitEntries.Count': {
    says: 'How many entries are waited for; 1 unless told otherwise.',
    schema: whole(1),
  },
  Country: { says: '' },
  Currency: {
    says: 'ISO 4217 in capital letters; the provider’s unless told otherwise.',
    schema: { type: 'string', pattern: '^[A-Z]{3}$' },
  },
  CustomerCode: { says: 'Taken, and without effect here.' },
  CustomerId: { says: 'A stored customer.' },
  Date: { says: 'Ends at this instant.' },
  DefaultPaymentMethodId: { says: 'One of the customer’s payment methods.' },
  Definition: { says: 'A scenario, as a file of scenarios has it.', schema: anyObject },
  Description: { says: 'In your words.' },
  Descriptor: { says: 'What the payer’s statement says.' },
  Email: { says: '' },
  EndAfter: { says: 'When the charges end; never where it is left out.' },
  Environment: {
    says: 'Where the provider works.',
    schema: { type: 'string', enum: ['SANDBOX', 'PRODUCTION'] },
  },
  Event: {
    says: 'A webhook that was delivered, in place of a call.',
    schema: { type: 'string', examples: ['batch.status.changed'] },
  },
  ExpireDate: { says: 'When the entry is gone; not beside ExpireSeconds.' },
  ExpireSeconds: {
    says: 'After how many seconds the entry is gone; not beside ExpireDate.',
    schema: whole(1),
  },
  ExpiryDate: { says: 'MM/YY.', schema: { type: 'string', pattern: '^\\d\\d/\\d\\d$' } },
  FallbackProviderId: { says: 'The provider that is asked where this one fails.' },
  FirstName: { says: '' },
  Frequency: { says: 'Each how many intervals; 1 unless told otherwise.', schema: whole(1, 1000) },
  Geolocation: { says: 'Taken, and without effect here.', schema: anyObject },
  GroupReference: { says: 'Names the whole of the transfers; each group has one of its own.' },
  Image: { says: 'A picture as a data URI: png, jpeg or gif in Base64.', schema: { type: 'string' } },
  Initiator: { says: 'Who began the charge.' },
  Interval: { says: 'The unit of Frequency.' },
  InvoiceId: { says: 'Your invoice.' },
  InvoiceNumber: { says: 'Taken, and without effect here.' },
  Ip: { says: 'The payer’s address.' },
  IsInternationalCard: { says: 'Whether the row is for cards from abroad.' },
  LastName: { says: '' },
  LimitPayments: { says: 'How often the link can be paid.', schema: whole(1, 1_000_000_000) },
  Line1: { says: '' },
  Line2: { says: '' },
  Match: { says: 'Which calls it is about; all where it is left out.' },
  Maximum: { says: 'How often a failed charge is tried again.', schema: whole(0, 1000) },
  MaximumAmount: { says: 'The most that one charge may take.', schema: decimal },
  Message: { says: 'A message to the receiver.' },
  Metadata: { says: 'A map of your own; its keys are never renamed.', schema: map },
  Method: { says: 'The method of the call.' },
  Mode: { says: 'How time passes.' },
  Name: { says: 'A name.' },
  'useScenario.Name': { says: 'A scenario that GET /_sandbox/scenarios lists.' },
  Now: { says: 'Where the clock shall stand; not before where it is.' },
  Operation: { says: 'What is called.', schema: { type: 'string', enum: OPERATIONS } },
  'Match.Operation': { says: 'An operation.', schema: { type: 'string', enum: OPERATIONS } },
  Order: { says: 'Taken, and without effect here.', schema: anyObject },
  Outcomes: {
    says: 'What the next calls are answered, in order: names of outcomes, or {Outcome, Fault, Status, Delay, Phase}.',
    schema: { type: 'array', minItems: 1, maxItems: 1000, items: { type: ['string', 'object'] } },
  },
  Path: { says: 'The path of the call; * stands for any characters.' },
  PayId: { says: 'What the payer’s bank knows the account by.' },
  PayIdType: { says: 'What kind of PayId it is, such as EMAIL.' },
  PayToAgreement: { says: 'The agreement that the payer is asked for.' },
  PayerName: { says: 'The payer’s name.' },
  PayerPayIdDetails: { says: 'The payer’s PayId.' },
  PaymentInformation: { says: 'A card.' },
  PaymentMethodId: { says: 'A stored payment method.' },
  Phone: { says: '' },
  PostalCode: { says: '' },
  ProviderCountry: { says: 'Where the provider is.', schema: { type: 'string', pattern: '^[A-Z]{2,3}$' } },
  ProviderId: {
    says: 'The provider: 32 hexadecimal digits or a hyphenated UUID.',
    schema: { type: 'string', minLength: 32, maxLength: 36 },
  },
  'Match.ProviderId': { says: 'A provider.' },
  ProviderToken: { says: 'What the provider calls the source.' },
  ProviderTokenData: { says: 'What the provider says of the source.', schema: map },
  Rate: { says: 'How much faster a scaled clock runs.', schema: { type: 'number', exclusiveMinimum: 0 } },
  Recurring: { says: 'Taken, and without effect here.', schema: anything },
  RedirectUrl: {
    says: 'Where the payer is sent once it is paid.',
    schema: { type: 'string', format: 'uri' },
  },
  Ref: { says: 'The identifier of the record.' },
  Reference: { says: 'Your reference.' },
  Retry: { says: 'What becomes of a failed charge.' },
  Scenario: { says: 'A scenario that GET /_sandbox/scenarios lists.' },
  Seed: { says: 'What identifiers and draws are made from.', schema: { type: ['string', 'number'] } },
  SetDefault: { says: 'Whether the method becomes its customer’s default.', schema: { type: 'boolean' } },
  Since: { says: 'Not before this instant.' },
  SkipExpiryDateValidation: { says: 'Takes an expired card as well.' },
  StartDate: { says: 'When the first charge is made; at once unless told otherwise.' },
  State: { says: '' },
  Status: { says: 'What it becomes.' },
  'Match.Status': { says: 'The status of the answer; 0 where none was given.', schema: whole(0, 599) },
  ThreeDsProviderId: { says: 'The provider for 3-D Secure.' },
  Timeout: { says: 'How long it may take, in real time; at most 60s.', schema: duration },
  Title: { says: 'What the page is headed with.' },
  To: { says: 'Until which instant.' },
  Token: { says: 'A token of a card; it is spent by its first use.' },
  TransactionCost: { says: 'What each charge costs, in major units.', schema: decimal },
  TransactionPercentage: { says: 'How many percent of the amount it takes.', schema: decimal },
  Transfers: { says: 'Who gets how much of the charge.' },
  Trigger: { says: 'What decided the answer.' },
  Type: { says: 'What kind of provider it is.' },
  Types: {
    says: 'What is told of.',
    schema: { type: 'array', minItems: 1, items: { type: ['string', 'integer'], examples: TOPICS } },
  },
  Url: {
    says: 'An absolute https address; http for loopback and private hosts.',
    schema: { type: 'string', format: 'uri' },
  },
  VaultCard: { says: 'Also puts the card into the vault.' },
  VaultExpireDate: { says: 'When the vault entry is gone; not beside VaultExpireSeconds.' },
  VaultExpireSeconds: { says: 'After how many seconds the vault entry is gone.', schema: whole(1) },
  VaultId: { says: 'A vault entry, in place of PaymentMethodId.' },
  Verify: { says: 'Taken: the provider is asked in any case.' },
  Webhook: { says: 'Who is told of each change.' },
};
