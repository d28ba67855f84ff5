import { readFileSync } from 'node:fs';

import type { TransactionStatus } from './state.js';
import { DAY, SECOND } from './units.js';

export { DAY, EXPONENTS, HOUR, SECOND } from './units.js';

/** What the specification's tables say, written down once more: nothing here comes from the sources. */

/** How a provider declines: the error code, the HTTP status, and whether a batch calls it worth another try. */
export interface Decline {
  readonly code: number;
  readonly status: number;
  readonly retryable: boolean;
}

const decline = (code: number, retryable: boolean): Decline => ({ code, status: 400, retryable });

/** The outcomes by name; null: approved. */
export const OUTCOMES: Readonly<Record<string, Decline | null>> = {
  approve: null,
  unmapped: decline(1, false),
  do_not_honor: decline(905, false),
  insufficient_funds: decline(15, true),
  incorrect_ccv: decline(6, false),
  expired_card: decline(14, false),
  processing_error: decline(996, true),
  issuer_unavailable: decline(991, true),
  refer_to_card_issuer: decline(901, false),
  lost_card: decline(941, false),
  tokenise_error: decline(42, false),
  unable_to_capture: decline(47, false),
  unable_to_void: decline(48, false),
  unable_to_refund: decline(45, false),
  provider_unavailable: decline(34, true),
  retry_later: decline(37, true),
  gateway_timeout: decline(80, true),
  require_3ds: decline(113, false),
  failed_3ds: decline(18, false),
};

/** What is asked of a provider. */
export type Asked = 'charge' | 'capture' | 'void' | 'refund' | 'settle' | 'tokenise' | 'store';

/** What a trigger answers, one outcome a call, the last one again and again. */
type Effects = Readonly<Partial<Record<Asked, readonly string[]>>>;

/** Test cards, accounts and tokens with an effect. What a card does not name is approved when it is charged or stored. */
const EFFECTS: Readonly<Record<string, Effects>> = {
  '4000000000000010': { charge: ['unmapped'] },
  '4000000000000002': { charge: ['do_not_honor'] },
  '4000000000009995': { charge: ['insufficient_funds'] },
  '4000000000000127': { charge: ['incorrect_ccv'], store: ['incorrect_ccv'] },
  '4000000000000341': { charge: ['do_not_honor'] },
  '4000000000000424': { tokenise: ['tokenise_error'], store: ['tokenise_error'] },
  '4000000000000101': {},
  '4000000000002222': { charge: ['issuer_unavailable', 'issuer_unavailable', 'approve'] },
  '4000000000000473': { capture: ['unable_to_capture'] },
  '4000000000000481': { void: ['unable_to_void'] },
  '4000000000000457': { refund: ['unable_to_refund'] },
  '4000000000005027': { charge: ['provider_unavailable'] },
  '4000000000005043': { charge: ['gateway_timeout'] },
  '4000000000000374': { charge: ['retry_later'] },
  '4000000000001133': { charge: ['require_3ds'] },
  '4000000000002701': { charge: ['require_3ds'] },
  '4000000000002925': { charge: ['require_3ds'] },
  '4000000000002313': {},
  '000000002': { charge: ['do_not_honor'] },
  '000009995': { settle: ['insufficient_funds'] },
  tok_approve: {},
  tok_require_3ds: { charge: ['require_3ds'] },
  tok_insufficient_funds: { charge: ['insufficient_funds'] },
  'tok_issuer_unavailable|approve': { charge: ['issuer_unavailable', 'approve'] },
};

/** The card that says of every Ccv that it does not match. */
export const CCV_MISMATCH = '4000000000000101';
export const AMEX = '378282246310005';
/** No published test card: it behaves like one that approves. */
export const ORDINARY = '4012888888881881';
/** Cards that approve. */
export const GOOD_CARDS = ['4242424242424242', '5555555555554444', AMEX, ORDINARY];
export const CARDS = [...GOOD_CARDS, ...Object.keys(EFFECTS).filter((name) => /^\d{16}$/.test(name))];
/** Cards that are charged only after 3-D Secure. */
export const DEMANDING_CARDS = ['4000000000001133', '4000000000002701', '4000000000002925'];
export const ACCOUNTS = ['000123456', '000000002', '000009995'];
export const GOOD_TOKENS = Object.keys(EFFECTS).filter((name) => name.startsWith('tok_'));
/** The tokens that every world lists after its own, and what their status is. */
const PUBLISHED = readFileSync(new URL('../outcomes/published.txt', import.meta.url), 'utf8');
export const LISTED_TOKENS = [
  ...Array.from(PUBLISHED.matchAll(/^Outcomes \{"Outcome":"(\w+)"/gm), ([, name]) => ({
    id: `tok_${name}`,
    status: 'ACTIVE' as const,
  })),
  { id: 'tok_used', status: 'USED' as const },
  { id: 'tok_expired', status: 'EXPIRED' as const },
];
export const BAD_TOKENS = ['tok_used', 'tok_expired', 'tok_nonsense'];

/** What the issuer of a card says of its payer; of another one it depends on whether a charge demanded it. */
export const ISSUER_SAYS: Readonly<Record<string, TransactionStatus>> = {
  '4000000000001133': 'CHALLENGED',
  '4000000000002701': 'PASSED',
  '4000000000002925': 'FAILED',
  '4000000000002313': 'UNAVAILABLE',
  tok_require_3ds: 'CHALLENGED',
};

export function effectsOf(trigger: string): Effects | undefined {
  return EFFECTS[trigger];
}

export const PROVIDER = {
  steady: '00000000000000000000000000000001',
  amounts: '00000000000000000000000000000002',
  flaky: '00000000000000000000000000000004',
  down: '00000000000000000000000000000005',
  noCapture: '00000000000000000000000000000006',
  wholeCapture: '00000000000000000000000000000007',
  unheardOf: 'c0ffee00000000000000000000000000',
  reserved: '0000000000000000000000000000dead',
  malformed: '123',
} as const;

/** The provider `amounts`: the decimals are the response code, and one without a row approves. */
export const AMOUNT_OUTCOMES: Readonly<Record<string, string>> = {
  '01': 'refer_to_card_issuer',
  '05': 'do_not_honor',
  '41': 'lost_card',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '96': 'processing_error',
};

/** The payer whose agreements wait. */
export const PENDING_PAYER = 'pending@payto.example';

export const DEFAULT_CURRENCY = 'AUD';

export const START = Date.UTC(2026, 0, 1);
export const CHALLENGE_TTL = 10 * 60 * SECOND;
export const TOKEN_TTL = 15 * 60 * SECOND;
export const AUTHORISATION_TTL = 7 * DAY;
export const SETTLEMENT_DAYS = 2;
/** A batch stays RECEIVED, and then CREATED, for so long; then come its rows. */
export const BATCH_WAIT = 1000;
export const BATCH_PACE = 100;
