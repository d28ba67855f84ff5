import * as z from 'zod';

import { isReceiver, RECEIVER } from '../../core/receiver.js';
import type { Webhook } from '../../core/store/field.js';
import { quoteText } from '../../core/text/text.js';
import { optionalField, cappedText } from './field.js';
import { TEXT_MAX } from './fields.js';

/** Characters that a header cannot contain: control characters except the tab. */
const NO_HEADER = /[^\P{Cc}\t]/u;

/** Node connects to the port 80 or 443 instead of 0. */
const hasPort = (value: string): boolean => !URL.canParse(value) || new URL(value).port !== '0';

const receiverField = () =>
  cappedText(TEXT_MAX)
    .refine(hasPort, { error: 'must have a port from 1 to 65535, or none for the default; the port is 0' })
    .refine(isReceiver, { error: ({ input }) => `is ${quoteText(String(input))}; it must be ${RECEIVER}` })
    .meta({
      sample: '"https://example.com/hook"',
      description:
        'An absolute https URL with a host name. Loopback and private hosts may also use http and IP addresses.',
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/\\\\]\\S*$',
      'x-server-checks':
        'Only loopback and private hosts may use http or an IP address. The port cannot be 0.',
    });

const authorizationField = () =>
  optionalField(
    cappedText(TEXT_MAX).refine((value) => !NO_HEADER.test(value), {
      error: 'must not contain line breaks or other control characters',
    }),
  );

/** An address, and the value of its Authorization header. */
export const webhookFields = () => ({
  Url: receiverField(),
  Authorization: authorizationField().describe(
    'Sent unchanged as the Authorization header of each delivery.',
  ),
});

export const optionalWebhook = () =>
  z
    .object(webhookFields())
    .optional()
    .meta({ description: 'The receiver that is sent each change of the record.' });

export function toWebhook(field: z.output<ReturnType<typeof optionalWebhook>>): Webhook | null {
  if (field === undefined) return null;
  return { url: field.Url, authorization: field.Authorization };
}
