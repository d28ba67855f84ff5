import { toMajor, currencyExponent } from '../../core/money.js';
import { formatInstant } from '../../core/time/time.js';
import type { Address, Customer } from '../../records/customer.js';
import { isCard, type Source } from '../../records/payment-method.js';
import { builtInOrSteady } from '../../outcomes/built-in.js';
import type { World } from '../../world/world.js';
import type {
  BankPayment,
  Card,
  CustomerSummary,
  PayTo,
  PostalAddress,
  ProviderName,
} from '../answers/answers.js';

export function presentInstant(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** An amount as a JSON number without trailing zeros: 5, 15.5. */
export function presentAmount(amountMinor: number, currency: string): number {
  return toMajor(amountMinor, currencyExponent(currency) ?? 2);
}

export function presentCard(source: Source, ccvCheck: boolean | null): Card | null {
  if (!isCard(source)) return null;
  return {
    CardNumber: source.masked,
    ExpiryDate: source.expiry,
    Cardholder: source.cardholder,
    Type: source.scheme,
    CardType: source.funding,
    CardIin: source.iin,
    CcvCheck: ccvCheck,
  };
}

export function presentBankPayment(source: Source): BankPayment | null {
  if (source.type !== 'BANK_ACCOUNT') return null;
  return {
    BankCode: source.bankCode,
    AccountNumber: source.masked,
    AccountName: source.accountName,
  };
}

export function presentPayTo(world: World, source: Source, providerId: string): PayTo | null {
  if (source.type !== 'PAYTO') return null;
  return {
    PayToId: source.payToId,
    Status: source.status,
    PayerName: source.payerName,
    PayerPayIdDetails: { PayId: source.payId, PayIdType: source.payIdType },
    // The sandbox makes agreements only by PayId.
    PayerDirectDebitDetails: null,
    ProviderId: providerId,
    ProviderType: presentProviderType(world, providerId),
  };
}

export function presentPayToStatus(source: Source): PayTo['Status'] | null {
  return source.type === 'PAYTO' ? source.status : null;
}

/** The payer, for the details of a decline. */
export interface Payer {
  readonly source: Source;
  readonly email: string | null;
}

export function findPayerEmail(source: Source): string | null {
  return source.type === 'PAYTO' && source.payIdType === 'EMAIL' ? source.payId : null;
}

export function presentProvider(world: World, providerId: string): ProviderName {
  const { type, name } = findNamedProvider(world, providerId);
  return { ProviderId: providerId, Type: type, Name: name };
}

export function presentProviderType(world: World, providerId: string): string {
  return findNamedProvider(world, providerId).type;
}

function findNamedProvider(
  world: World,
  providerId: string,
): { readonly type: string; readonly name: string } {
  return world.providers.findByProviderId(providerId) ?? builtInOrSteady(providerId);
}

export function presentAddress(address: Address | null): PostalAddress | null {
  return (
    address && {
      Line1: address.line1,
      Line2: address.line2,
      City: address.city,
      Country: address.country,
      PostalCode: address.postalCode,
      State: address.state,
    }
  );
}

export function presentCustomerSummary(world: World, id: string | null): CustomerSummary | null {
  const customer = id === null ? undefined : world.customers.find(id);
  return customer ? summariseCustomer(customer) : null;
}

export function summariseCustomer(customer: Customer): CustomerSummary {
  return {
    CustomerId: customer.id,
    Reference: customer.reference,
    FirstName: customer.firstName,
    LastName: customer.lastName,
    Email: customer.email,
    Phone: customer.phone,
    DateAdded: formatInstant(customer.dateAdded),
  };
}
