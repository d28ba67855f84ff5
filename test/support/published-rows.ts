// What is published of test cards, providers and whoever else decides an outcome, written by hand.

// oxfmt-ignore
export const CARD_ROWS: readonly [number: string, scheme: string, effect: string][] = [
  ['4242424242424242', 'Visa', 'approve'],
  ['4111111111111111', 'Visa', 'approve'],
  ['4000056655665556', 'Visa debit', 'approve'],
  ['5555555555554444', 'Mastercard', 'approve'],
  ['5200828282828210', 'Mastercard debit', 'approve'],
  ['378282246310005', 'Amex', 'approve'],
  ['6011111111111117', 'Discover', 'approve'],
  ['3056930009020004', 'Diners', 'approve'],
  ['3566002020360505', 'JCB', 'approve'],
  ['6200000000000005', 'UnionPay', 'approve'],
  ['4000000000000002', 'Visa', 'do_not_honor on charge'],
  ['4000000000009995', 'Visa', 'insufficient_funds on charge'],
  ['4000000000009987', 'Visa', 'lost_card on charge'],
  ['4000000000009979', 'Visa', 'stolen_card on charge'],
  ['4000000000000069', 'Visa', 'expired_card on charge'],
  ['4000000000000127', 'Visa', 'incorrect_ccv on charge and on storage'],
  ['4000000000000119', 'Visa', 'processing_error on charge'],
  ['4000000000006975', 'Visa', 'limit_exceeded on charge'],
  ['4100000000000019', 'Visa', 'blocked_by_fraud_rules on charge'],
  ['4000000000000622', 'Visa', 'card_blocked on charge'],
  ['4000000000000911', 'Visa', 'issuer_unavailable on charge'],
  ['4000000000001133', 'Visa', 'require_3ds on charge'],
  ['4000000000000341', 'Visa', 'storage and tokenising succeed, every charge is do_not_honor'],
  ['4000000000000424', 'Visa', 'tokenising and storage fail with tokenise_error (code 42), direct charges approve'],
  ['4000000000000101', 'Visa', 'approved, but CcvCheck is false'],
  ['4000000000002222', 'Visa', 'charges decline twice with issuer_unavailable, then approve (counted per world and card)'],
  ['4000000000000473', 'Visa', 'approved; then the capture fails with unable_to_capture'],
  ['4000000000000481', 'Visa', 'approved; then the void fails with unable_to_void'],
  ['4000000000000457', 'Visa', 'approved; then the refund fails with unable_to_refund'],
  ['4000000000005027', 'Visa', 'provider_unavailable on charge'],
  ['4000000000005043', 'Visa', 'gateway_timeout on charge'],
  ['4000000000000374', 'Visa', 'retry_later on charge, with Retry-After'],
  ['4000000000004087', 'Visa', 'the charge is committed, then the connection is closed without an answer'],
];

// oxfmt-ignore
export const ACCOUNT_ROWS: readonly [number: string, effect: string][] = [
  ['000123456', 'approve: PENDING, then SUCCESS at its settlement'],
  ['000000002', 'do_not_honor on charge'],
  ['000009995', 'PENDING, then FAILED at its settlement with insufficient_funds'],
];

// oxfmt-ignore
export const TOKEN_ROWS: readonly [token: string, effect: string][] = [
  ['tok_<outcome>', 'a fresh token each time, for the card 4111111111111111 with that outcome'],
  ['tok_<outcome>|<outcome>|…', 'one outcome a call, then the last one again'],
  ['tok_used', 'refused as used (code 51)'],
  ['tok_expired', 'refused as expired (code 51)'],
];

/** By the end of their ids, which otherwise are zeros. */
// oxfmt-ignore
export const PROVIDER_ROWS: readonly [end: string, name: string | null, behaviour: string][] = [
  ['0001', 'steady', 'approves, answers at once'],
  ['0002', 'amounts', 'the two decimals of the amount are the response code: 10.00 approves, 10.05 do_not_honor, 10.51 insufficient_funds, …'],
  ['0003', 'slow', 'lognormal delay, median 800 ms, seeded'],
  ['0004', 'flaky', 'every third call is provider_unavailable'],
  ['0005', 'down', 'always provider_unavailable'],
  ['0006', 'no-capture', 'refuses Capture false (code 71)'],
  ['0007', 'whole-capture', 'refuses captures of less than the authorisation (code 78)'],
  ['dead', null, 'reserved: unknown provider, 400 code 39'],
];

export const PRECEDENCE_ROWS: readonly string[] = [
  'x-sandbox-outcome: <outcome>[,delay=<duration>] on the request itself (no state, safe in parallel)',
  'a queued outcome for the operation (POST /_sandbox/outcomes), used up in order',
  'a rule of the active scenario',
  'the magic token or magic card number',
  "the provider's own behaviour (configured and built-in providers; amount-driven)",
  'approve',
];
