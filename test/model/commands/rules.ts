import { type Body, requireSame, valueIn } from '../calls.js';
import type { Records } from '../records.js';
import {
  AMOUNT_OUTCOMES,
  type Asked,
  CARDS,
  EFFECTS,
  EXPONENTS,
  formatMinor,
  OUTCOMES,
  PROVIDER,
  readAmount,
} from '../spec.js';
import { refuse, type Verdict, type View } from './kind.js';

/** What the specification says of charges, as changes of what a world shows. */

/** Refuses what no amount of any currency looks like. */
export function checkAmount(text: string): void {
  readMinor(text, 4);
}

export function readMinor(text: string, exponent: number): number {
  const read = readAmount(text, exponent);
  return 'code' in read ? refuse(400, read.code) : read.minor;
}

export function checkProvider(provider: string): void {
  if (provider === PROVIDER.reserved || provider === PROVIDER.malformed) refuse(400, 39);
}

export const maskNumber = (number: string): string =>
  `${number.slice(0, 4)}${'*'.repeat(number.length - 8)}${number.slice(-4)}`;

/** The number of a card that an answer masks. */
export const findPan = (shown: unknown): string => CARDS.find((pan) => maskNumber(pan) === shown) ?? '';

export interface Question {
  readonly asked: Asked;
  readonly provider: string;
  /** The card or account whose row in the table of effects decides. */
  readonly trigger: string;
  readonly header: string | null;
  readonly minor?: number;
  readonly currency?: string;
}

/** The code with which a provider declines; null: it approves; undefined: nobody knows. Highest first: header, script, card, provider. */
export function askProvider({ kept }: View, question: Question): number | null | undefined {
  const { asked, provider, trigger, header, minor = 0, currency = '' } = question;
  if (header !== null) return OUTCOMES[header];
  if (kept.isScripted) return undefined;
  const effects = EFFECTS[trigger];
  const effect = effects?.[asked];
  if (effect !== undefined) return OUTCOMES[effect];
  if (effects !== undefined && (asked === 'charge' || asked === 'store')) return null;
  if (provider === PROVIDER.flaky) return undefined;
  if (provider === PROVIDER.down) return OUTCOMES['provider_unavailable'];
  const hasCents = currency === 'AUD' || currency === 'USD';
  if (provider !== PROVIDER.amounts || asked !== 'charge' || !hasCents) return null;
  return OUTCOMES[AMOUNT_OUTCOMES[String(minor % 100).padStart(2, '0')] ?? 'approve'];
}

/** What changes with a charge beside what the specification's rules name. */
const LOOSE = ['FailedAttempts', 'Refunds', 'EstimatedCost'];

/** All charges are as before, but for one, which has other values. */
export function requireChanged({ own }: View, { charges }: Records, id: unknown, values: Body): void {
  requireSame('The number of charges', charges.length, own.charges.length);
  for (const [n, before] of own.charges.entries()) {
    const isIt = before['ChargeId'] === id;
    const free = isIt ? LOOSE : [];
    const wanted: Body = isIt ? { ...before, ...values } : before;
    for (const name of Object.keys(wanted).filter((one) => !free.includes(one)))
      requireSame(`${name} of charge ${n}`, charges[n]?.[name], wanted[name]);
  }
}

/** All charges are as before, and there is one more, which has these values. */
export function requireAdded(view: View, after: Records, values: Body): void {
  const added = after.charges.at(-1) ?? {};
  for (const [name, value] of Object.entries(values))
    requireSame(`${name} of the charge`, added[name], value);
  requireChanged(view, { ...after, charges: after.charges.slice(0, -1) }, null, {});
}

export const showInstant = (ms: number): string => new Date(ms).toISOString();

export const showAmount = (minor: number, currency: string): number => Number(formatMinor(minor, currency));

/** What is charged. */
export interface Demand {
  readonly provider: string;
  readonly trigger: string;
  readonly isBank: boolean;
  readonly isExpired: boolean;
  /** Further values of the charge. */
  readonly shows: Body;
}

export interface Details {
  readonly amount: string;
  readonly currency: string;
  readonly capture: boolean;
  readonly reference: string | null;
  readonly header: string | null;
}

export function decideCharge(view: View, details: Details, demand: Demand): Verdict {
  const { capture, header, reference } = details;
  const { provider, trigger, isBank, shows } = demand;
  const currency = details.currency.toUpperCase();
  const minor = readMinor(details.amount, EXPONENTS[currency] ?? 2);
  if (!capture && (isBank || provider === PROVIDER.noCapture)) refuse(400, 71);
  if (demand.isExpired) refuse(400, 14);
  const decline = askProvider(view, { asked: 'charge', provider, trigger, header, minor, currency });
  const amount = showAmount(minor, currency);
  const now = showInstant(view.own.now);
  return {
    ...(decline !== undefined && { decline }),
    expect: (after, isDeclined) => {
      const status = isDeclined ? 'FAILED' : isBank ? 'PENDING' : capture ? 'SUCCESS' : 'Authorised';
      requireAdded(view, after, {
        Status: status,
        Amount: amount,
        Currency: currency,
        ProviderId: provider,
        Reference: reference,
        AuthorisationAmount: status === 'Authorised' ? amount : null,
        RefundedAmount: null,
        DateAdded: now,
        SuccessDate: status === 'SUCCESS' ? now : null,
        VoidDate: null,
        BatchId: null,
        ...shows,
      });
    },
  };
}

/** An amount that an answer shows, in minor units. */
export const minorIn = (record: Body, name: string): number =>
  Math.round(Number(record[name] ?? 0) * 10 ** (EXPONENTS[String(record['Currency'])] ?? 2));

/** What is left of a captured charge: each refund and each transfer takes of it. */
export function minorLeft({ own }: View, charge: Body): number {
  const sent = own.transfers.filter(({ ChargeId }) => ChargeId === charge['ChargeId']);
  const all = sent.map((one) => minorIn({ ...one, Currency: charge['Currency'] }, 'Amount'));
  return (
    minorIn(charge, 'Amount') - minorIn(charge, 'RefundedAmount') - all.reduce((sum, one) => sum + one, 0)
  );
}

/** The text of a share of so many minor units. */
export function textOfShare(share: string, minor: number, code: unknown = 'AUD'): string {
  const shares: Readonly<Record<string, number>> = {
    all: minor,
    half: Math.floor(minor / 2),
    'one unit': 1,
    'one unit more': minor + 1,
    twice: 2 * minor,
  };
  const meant = shares[share];
  return meant === undefined ? share : formatMinor(meant, String(code));
}

/** Whether a provider has declined: such an answer, and no other, names the payer. */
export const isDecline = (body: Body): boolean => valueIn(body, 'Details', 'PaymentType') !== undefined;
