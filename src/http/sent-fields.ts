/** JSON Schemas of values as clients send them, where the zod schemas do not show that. */

const AMOUNT_MAX = 999_999_999.99;

export const AMOUNT_SENT = {
  type: ['string', 'number'],
  pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$',
  exclusiveMinimum: 0,
  maximum: AMOUNT_MAX,
  'x-server-checks': 'As text it has the same bounds. No more decimals than the currency has, but for zeros.',
};

export const CURRENCY_SENT = {
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  'x-server-checks': 'It must be a code of ISO 4217 that has a minor unit.',
};
export const PROVIDER_ID_SENT = {
  type: 'string',
  pattern: '^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
  'x-server-checks':
    'It must not be the one that is kept for unknown providers (…dead), nor that of a removed one.',
};

export const wholeSent = (minimum: number, maximum?: number) => ({
  type: ['integer', 'string'],
  pattern: '^\\d+$',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
