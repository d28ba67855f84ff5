/** JSON Schemas of values as clients send them, for zod schemas from which they cannot be derived. */

import { DURATION_TEXT_MAX } from '../../core/time/time.js';

const AMOUNT_MAX = 999_999_999.99;

export const AMOUNT_SENT = {
  type: ['string', 'number'],
  pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$',
  exclusiveMinimum: 0,
  maximum: AMOUNT_MAX,
  'x-server-checks':
    'A string has the same bounds. It must not have more decimals than the currency, apart from zeros.',
};

export const CURRENCY_SENT = {
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  'x-server-checks': 'It must be an ISO 4217 code that has a minor unit.',
};
/** For searches, which find nothing of an unknown provider. */
export const UUID_SENT = {
  type: 'string',
  pattern: '^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
};
export const PROVIDER_ID_SENT = {
  ...UUID_SENT,
  'x-server-checks':
    'It must not be the reserved identifier of an unknown provider (…dead), nor that of a removed provider.',
};

export const ANY_OBJECT = { type: 'object', additionalProperties: {} };

export const wholeSent = (minimum: number, maximum?: number) => ({
  type: ['integer', 'string'],
  pattern: '^\\d+$',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});

const NUMBER = '\\d+(\\.\\d+)?';
const TIME = `T(${NUMBER}H(${NUMBER}M)?(${NUMBER}S)?|${NUMBER}M(${NUMBER}S)?|${NUMBER}S)`;

export const DURATION_SENT = {
  type: 'string',
  maxLength: DURATION_TEXT_MAX,
  pattern: `^(${NUMBER}(ms|s|m|h|d)|P(${NUMBER}D(${TIME})?|${TIME}))$`,
  examples: ['250ms', '30s', '15m', '2h', 'PT2H'],
  'x-server-checks': 'It must be a whole number of milliseconds. Only its last part may have a fraction.',
};
