/** An outcome as it is published. */
export type Outcome = [
  name: string,
  code: number,
  gatewayCode: string | null,
  gatewayMessage: string,
  isRetryable: boolean,
  status: number,
];

// The published outcomes with a short name, written by hand.
// oxfmt-ignore
export const OUTCOME_ROWS: readonly Outcome[] = [
  ['do_not_honor', 905, '05', 'Do not honor', false, 402],
  ['insufficient_funds', 15, '51', 'Insufficient funds', true, 402],
  ['lost_card', 941, '41', 'Lost card, pick up', false, 402],
  ['stolen_card', 943, '43', 'Stolen card, pick up', false, 402],
  ['expired_card', 14, '54', 'Expired card', false, 402],
  ['incorrect_ccv', 6, 'N7', 'CVV2 mismatch', false, 402],
  ['processing_error', 996, '96', 'System malfunction', true, 402],
  ['limit_exceeded', 965, '65', 'Exceeds withdrawal frequency limit', true, 402],
  ['suspected_fraud', 959, '59', 'Suspected fraud', false, 402],
  ['blocked_by_fraud_rules', 112, null, 'Blocked by fraud rules', false, 402],
  ['card_blocked', 93, '62', 'Restricted card', false, 402],
  ['issuer_unavailable', 991, '91', 'Issuer or switch is inoperative', true, 402],
  ['require_3ds', 113, null, 'Authentication required', false, 402],
  ['retry_later', 37, null, 'Retry later', true, 503],
  ['provider_unavailable', 34, null, 'Provider service error', true, 502],
  ['gateway_timeout', 80, null, 'Gateway timeout', true, 504],
  ['tokenise_error', 42, null, 'Tokenise card error', false, 402],
  ['unable_to_capture', 47, '12', 'Invalid transaction', false, 402],
  ['unable_to_void', 48, '12', 'Invalid transaction', false, 402],
  ['unable_to_refund', 45, '12', 'Invalid transaction', false, 402],
];
