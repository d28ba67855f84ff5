import * as z from 'zod';

import { describeType } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import * as answers from '../../http/answers/answers.js';
import { paymentInformationField } from '../../http/fields/card-fields.js';
import {
  optionalField,
  convertField,
  toCamelCase,
  requestSchema,
  cappedText,
} from '../../http/fields/field.js';
import { optionalCurrency, optionalAmount } from '../../http/fields/amount-fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import { optionalWebAddress } from '../../http/fields/fields.js';
import { dateFields, toListing, pageFields, sortOrder } from '../../http/fields/list-fields.js';

import type { CallToAction } from '../../records/payment-link.js';
import type { PayerInput, PaymentLinkCommand } from './service.js';

/** The maximum length of an image as a data URI: our own limit, a picture of 384 KiB. */
export const IMAGE_LENGTH_MAX = 512 * 1024;
/** The maximum of LimitPayments, and of payment types of a link: our own limits. */
const PAYMENTS_MAX = 1_000_000_000;
const TYPES_MAX = 50;
/** The default button of a link: our assumption. */
const CALL_TO_ACTION_DEFAULT: CallToAction = 'Pay';

const IMAGE =
  /^data:image\/(?:png|jpeg|gif);base64,(?=[^=])(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

const imageField = () =>
  optionalField(
    cappedText(IMAGE_LENGTH_MAX)
      .refine((value) => IMAGE.test(value), {
        error: 'must be a data URI of a png, jpeg or gif in Base64, such as data:image/png;base64,…',
      })
      .meta({ pattern: '^data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/]+={0,2}$' }),
  );

const paymentTypesField = () =>
  optionalField(
    convertField(z.array(z.unknown()), (items): readonly string[] | ValidationError => {
      if (items.length > TYPES_MAX)
        return new ValidationError(`must have at most ${TYPES_MAX} items, not ${items.length}`);
      const types: string[] = [];
      for (const item of items) {
        if (typeof item !== 'string')
          return new ValidationError(`must contain only strings, not ${describeType(item)}`);
        if (item.length > fields.TEXT_MAX)
          return new ValidationError(
            `must contain strings of at most ${fields.TEXT_MAX} characters, not ${item.length}`,
          );
        types.push(item);
      }
      return types;
    }).meta({
      expected: 'a list of strings',
      maxItems: TYPES_MAX,
      items: { type: 'string', maxLength: fields.TEXT_MAX },
    }),
  );

export const CreatePaymentLink = requestSchema(
  () => ({
    Title: fields.requiredText('"Order 1"').describe('The heading of the page.'),
    Amount: optionalAmount(),
    Currency: optionalCurrency(),
    AllowedPaymentTypes: paymentTypesField().describe('The payment types that the page offers.'),
    Description: fields.optionalText().describe('A description of your own.'),
    Image: imageField().describe('A picture as a data URI: PNG, JPEG or GIF in Base64.'),
    ConfirmationMessage: fields.optionalText().describe('Shown after the payment.'),
    RedirectUrl: optionalWebAddress().describe('Where the payer is redirected after the payment.'),
    CallToAction: fields.optionalWord('Pay', 'Donate').describe('The label of the button. Default: Pay.'),
    LimitPayments: fields.optionalWhole(1, PAYMENTS_MAX).describe('How many times the link can be paid.'),
    InvoiceId: fields.optionalText().describe('The identifier of your invoice.'),
    Metadata: optionalMetadata(),
  }),
  ({ AllowedPaymentTypes, CallToAction, ...body }): PaymentLinkCommand => ({
    ...toCamelCase(body),
    allowedPaymentTypes: AllowedPaymentTypes ?? [],
    callToAction: CallToAction ?? CALL_TO_ACTION_DEFAULT,
  }),
);

export const SearchPaymentLinks = requestSchema(
  () => ({
    ...dateFields(),
    ...pageFields(),
    SortBy: sortOrder('Date', 'Title'),
  }),
  toListing,
);

/** The request of a link's page. */
export const PayLink = requestSchema(
  () => ({ Amount: optionalAmount(), PaymentInformation: paymentInformationField() }),
  (body): PayerInput => ({ amount: body.Amount, card: body.PaymentInformation }),
);

export const PaymentLinkResponse = answers.component('PaymentLink', () => ({
  Url: z.string().describe('The page to pay on.'),
  PaymentLinkId: answers.id(),
  DateAdded: answers.instant(),
  AccountId: answers.id(),
  PublicKey: answers.never(),
  Title: z.string(),
  Amount: answers.maybeAmount(),
  Currency: answers.currency(),
  AllowedPaymentTypes: z.array(z.string()),
  Description: answers.text(),
  Image: answers.text(),
  ConfirmationMessage: answers.text(),
  RedirectUrl: answers.text(),
  CallToAction: z.enum(['Pay', 'Donate']),
  LimitPayments: z.int().nullable(),
  CountPayments: answers.count(),
  InvoiceId: answers.text(),
  Metadata: answers.metadata(),
}));
export type PaymentLinkResponse = z.output<typeof PaymentLinkResponse>;

export const PaymentLinkList = z.lazy(() =>
  z.strictObject({ PaymentLinks: z.array(PaymentLinkResponse), Count: answers.count() }),
);

/** The response to the payer, without the card and the provider. */
export const PaymentResponse = answers.component('Payment', () => ({
  ChargeId: answers.id(),
  Status: z.string(),
  Amount: answers.amount(),
  Currency: answers.currency(),
  ConfirmationMessage: answers.text(),
  RedirectUrl: answers.text(),
}));
export type PaymentResponse = z.output<typeof PaymentResponse>;
