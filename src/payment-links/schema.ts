import * as z from 'zod';

import {
  Fault,
  kindOf,
  type Member,
  optional,
  optionalAmount,
  optionalCurrency,
  optionalMetadata,
  optionalText,
  optionalWord,
  readText,
  text,
} from '../http/fields.js';
import { optionalWhole } from '../http/further-fields.js';
import type { CallToAction } from './record.js';
import type { PaymentLinkCommand } from './service.js';

/** The most characters of an image as a data URI: our own limit, 384 KiB of a picture. */
export const IMAGE_LENGTH_MAX = 512 * 1024;
/** The most payments that a limit can allow, and the most payment types of a link: our own limits. */
const PAYMENTS_MAX = 1_000_000_000;
const TYPES_MAX = 50;
/** Which button a link has unless told otherwise: our assumption. */
const CALL_TO_ACTION_DEFAULT: CallToAction = 'Pay';

const IMAGE =
  /^data:image\/(?:png|jpeg|gif);base64,(?=[^=])(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

const image = (): Member<string | null> =>
  optional((value): string | Fault => {
    const read = readText(value, IMAGE_LENGTH_MAX);
    if (read instanceof Fault) return read;
    if (IMAGE.test(read)) return read;
    return new Fault('must be a data URI of a png, jpeg or gif in Base64, such as data:image/png;base64,…');
  });

const redirectUrl = (): Member<string | null> =>
  optional((value): string | Fault => {
    const read = readText(value);
    if (read instanceof Fault) return read;
    const protocol = URL.canParse(read) ? new URL(read).protocol : '';
    // A browser is sent there: any other scheme could run a script.
    if (protocol === 'https:' || protocol === 'http:') return read;
    return new Fault('must be an absolute http or https address');
  });

const paymentTypes = (): Member<readonly string[] | null> =>
  optional((value): readonly string[] | Fault => {
    if (!Array.isArray(value)) return new Fault(`must be a list of texts, not ${kindOf(value)}`);
    if (value.length > TYPES_MAX)
      return new Fault(`has ${value.length} texts, at most ${TYPES_MAX} are taken`);
    const types: string[] = [];
    for (const item of value as readonly unknown[]) {
      const read = readText(item);
      if (read instanceof Fault) return new Fault(`holds a text that ${read.message}`);
      types.push(read);
    }
    return types;
  });

export const CreatePaymentLink = z
  .object({
    Title: text('"Order 1"'),
    Amount: optionalAmount(),
    Currency: optionalCurrency(),
    AllowedPaymentTypes: paymentTypes(),
    Description: optionalText(),
    Image: image(),
    ConfirmationMessage: optionalText(),
    RedirectUrl: redirectUrl(),
    CallToAction: optionalWord<CallToAction>('Pay', 'Donate'),
    LimitPayments: optionalWhole(1, PAYMENTS_MAX),
    InvoiceId: optionalText(),
    Metadata: optionalMetadata(),
  })
  .transform((body): PaymentLinkCommand => ({
    title: body.Title,
    amount: body.Amount,
    currency: body.Currency,
    allowedPaymentTypes: body.AllowedPaymentTypes ?? [],
    description: body.Description,
    image: body.Image,
    confirmationMessage: body.ConfirmationMessage,
    redirectUrl: body.RedirectUrl,
    callToAction: body.CallToAction ?? CALL_TO_ACTION_DEFAULT,
    limitPayments: body.LimitPayments,
    invoiceId: body.InvoiceId,
    metadata: body.Metadata,
  }));
