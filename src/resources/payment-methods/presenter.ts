import { formatInstant } from '../../core/time/time.js';
import * as summaries from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import { DELETED, type PaymentMethod } from '../../records/payment-method.js';
import type { PaymentMethodResponse, PaymentMethodSummary } from './schema.js';

/** The fields that a payment method has everywhere, also inside a customer. */
export function presentMethodSummary(world: World, method: PaymentMethod): PaymentMethodSummary {
  return {
    PaymentMethodId: method.id,
    CustomerId: method.customer,
    Type: method.source.type,
    Card: summaries.presentCard(method.source, null),
    BankPayment: summaries.presentBankPayment(method.source),
    PayTo: summaries.presentPayTo(world, method.source, method.providerId),
    PayToStatus: summaries.presentPayToStatus(method.source),
    ProviderId: method.providerId,
    ProviderType: summaries.presentProviderType(world, method.providerId),
    VaultId: method.vault,
    DateAdded: formatInstant(method.dateAdded),
    DateRemoved: summaries.presentInstant(method.dateRemoved),
    Email: methodEmail(world, method),
    ProviderPaymentMethodId: method.origin?.token ?? null,
    ProviderPaymentMethodData: method.origin?.data ?? null,
    Metadata: method.metadata,
  };
}

export function presentMethod(world: World, method: PaymentMethod): PaymentMethodResponse {
  return {
    ...presentMethodSummary(world, method),
    Provider: summaries.presentProvider(world, method.providerId),
    Customer: summaries.presentCustomerSummary(world, method.customer),
  };
}

function methodEmail(world: World, method: PaymentMethod): string | null {
  if (method.dateRemoved !== null) return DELETED;
  const customer = method.customer === null ? undefined : world.customers.find(method.customer);
  return customer ? customer.email : (method.origin?.email ?? null);
}
