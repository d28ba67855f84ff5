import { Hono } from 'hono';

import { furtherBatchRoutes } from './batches/further-routes.js';
import { bankAccountRoutes } from './charges/bank-account-routes.js';
import { furtherChargeRoutes } from './charges/further-routes.js';
import { leastCostRoutes } from './charges/least-cost-routes.js';
import { journalEntryRoutes } from './control/journal-entry.js';
import { chargeListRoutes } from './control/charges.js';
import { journalRoutes } from './control/journal.js';
import { liveRoutes } from './control/live.js';
import { outcomeRoutes } from './control/outcomes.js';
import { pageRoutes } from './control/pages.js';
import { payRoutes } from './control/pay.js';
import { recordRoutes } from './control/records.js';
import { scenarioRoutes } from './control/scenario.js';
import { simulateRoutes } from './control/simulate.js';
import { snapshotRoutes } from './control/snapshots.js';
import { sandboxTokenRoutes } from './control/tokens.js';
import { webhookRoutes } from './control/webhooks.js';
import { furtherCustomerRoutes } from './customers/further-routes.js';
import { instrumentCustomerRoutes } from './customers/instrument-routes.js';
import { FURTHER_JOB_HANDLERS } from './further-jobs.js';
import { paymentLinkRoutes } from './payment-links/routes.js';
import { furtherPaymentMethodRoutes } from './payment-methods/further-routes.js';
import { instrumentMethodRoutes } from './payment-methods/instrument-routes.js';
import { infoRoutes } from './provider-accounts/info-routes.js';
import { providerRoutes } from './provider-accounts/routes.js';
import { settlementRoutes } from './settlements/routes.js';
import { subscriptionRoutes } from './subscriptions/routes.js';
import { tokenRoutes } from './tokens/routes.js';
import { transferRoutes } from './transfers/routes.js';
import { vaultRoutes } from './vault/routes.js';
import { versionRoutes } from './version-routes.js';
import { webhookSubscriptionRoutes } from './webhook-subscriptions/routes.js';
import type { Env } from './wire/exchange.js';
import type { Worlds } from './worlds.js';

export { webhooksOf } from './events.js';

/**
 * The part of the HTTP surface that is loaded with the first call for it, so that no start pays for it: the vault and the
 * searches, what lies beyond the nineteen operations, and most of the control plane. With it all worlds learn what its
 * records do later.
 */
export function furtherRoutes(worlds: Worlds): Hono<Env> {
  worlds.learn(FURTHER_JOB_HANDLERS);
  return new Hono<Env>()
    .route('/', furtherChargeRoutes())
    .route('/', furtherCustomerRoutes())
    .route('/', furtherPaymentMethodRoutes())
    .route('/', vaultRoutes())
    .route('/', furtherBatchRoutes())
    .route('/', leastCostRoutes())
    .route('/', providerRoutes())
    .route('/', infoRoutes())
    .route('/', bankAccountRoutes())
    .route('/', instrumentCustomerRoutes())
    .route('/', instrumentMethodRoutes())
    .route('/', tokenRoutes())
    .route('/', webhookSubscriptionRoutes())
    .route('/', subscriptionRoutes())
    .route('/', paymentLinkRoutes())
    .route('/', transferRoutes())
    .route('/', settlementRoutes())
    .route('/', versionRoutes())
    .route('/', outcomeRoutes())
    .route('/', scenarioRoutes(worlds))
    .route('/', journalRoutes())
    .route('/', journalEntryRoutes())
    .route('/', webhookRoutes())
    .route('/', snapshotRoutes(worlds))
    .route('/', simulateRoutes())
    .route('/', sandboxTokenRoutes())
    .route('/', liveRoutes(worlds))
    .route('/', recordRoutes())
    .route('/', chargeListRoutes())
    .route('/', pageRoutes())
    .route('/', payRoutes());
}
