import { cardScheme } from '../core/card-scheme.js';
import { currencyExponent, toMajor } from '../core/money.js';
import { formatDuration, formatInstant } from '../core/time.js';
import { given } from '../core/given.js';
import { listOf } from './given.js';
import type {
  FakeWish,
  SeedCharge,
  SeedCustomer,
  SeedData,
  SeedEnd,
  SeedEntry,
  SeedMethod,
  SeedToken,
} from './seed-model.js';

/** How a Ccv is written down, which never goes out as it is. */
export type CcvSpelling = (ccv: string, pan: string) => string;

/** Seed data as a file writes it. Its card numbers are those of published test cards, so they stay. */
export function seedDataOf(data: SeedData, ccvOf: CcvSpelling): object {
  return given({
    fake: data.fake === null ? null : fakeOf(data.fake),
    customers: listOf(data.customers.map(customerOf)),
    paymentMethods: listOf(data.paymentMethods.map(methodOf)),
    vault: listOf(data.vault.map((entry) => entryOf(entry, ccvOf))),
    tokens: listOf(data.tokens.map((token) => tokenOf(token, ccvOf))),
    charges: listOf(data.charges.map(chargeOf)),
  } satisfies Record<keyof SeedData, unknown>);
}

/** A Ccv that any card of the scheme may have stands for the one that was given. */
export function standInCcv(_: string, pan: string): string {
  return cardScheme(pan) === 'AMEX' ? '1234' : '123';
}

function fakeOf({ customers, paymentMethods }: FakeWish): unknown {
  return paymentMethods ? `${customers} customers` : { customers, paymentMethods };
}

function customerOf({ address, ...rest }: SeedCustomer): object {
  return given({ ...rest, address: address === null ? null : given({ ...address }) });
}

function methodOf({ providerId, pan, expiry, ...rest }: SeedMethod): object {
  return given({ ...rest, provider: providerId, cardNumber: pan, expiryDate: expiry });
}

function entryOf({ vaultId, pan, ccv, end }: SeedEntry, ccvOf: CcvSpelling): object {
  return given({
    vaultId,
    cardNumber: pan,
    ccv: ccv === null ? null : ccvOf(ccv, pan),
    expires: endOf(end),
  });
}

function tokenOf({ pan, expiry, providerId, ccv, end, ...rest }: SeedToken, ccvOf: CcvSpelling): object {
  return given({
    ...rest,
    provider: providerId,
    cardNumber: pan,
    expiryDate: expiry,
    ccv: ccv === null ? null : ccvOf(ccv, pan),
    expires: endOf(end),
  });
}

function chargeOf(charge: SeedCharge): object {
  const { amountMinor, refundedMinor, currency, status, instrument, ...rest } = charge;
  const exponent = currencyExponent(currency) ?? 2;
  return given({
    ...rest,
    amount: toMajor(amountMinor, exponent),
    currency,
    status,
    refunded: status === 'PARTIAL_REFUND' ? toMajor(refundedMinor, exponent) : null,
    ...instrumentOf(instrument),
  });
}

function instrumentOf(instrument: SeedCharge['instrument']): object {
  if (typeof instrument === 'string') return { paymentMethodId: instrument };
  const { pan, expiry, cardholder, providerId } = instrument;
  return { provider: providerId, cardNumber: pan, expiryDate: expiry, cardholder };
}

function endOf(end: SeedEnd | null): string | null {
  if (end === null) return null;
  return end.kind === 'at' ? formatInstant(end.instant) : `+${formatDuration(end.ms)}`;
}
