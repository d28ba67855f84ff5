import { Hono } from 'hono';

import { furtherBatchRoutes } from './batches/further-routes.js';
import { bankAccountRoutes } from './charges/bank-account-routes.js';
import { furtherChargeRoutes } from './charges/further-routes.js';
import { leastCostRoutes } from './charges/least-cost-routes.js';
import { journalEntryRoutes } from './control/journal/entry.js';
import { chargeListRoutes } from './control/records/charges.js';
import { journalRoutes } from './control/journal/journal.js';
import { liveRoutes } from './control/journal/live.js';
import { outcomeRoutes } from './control/scenario/outcomes.js';
import { pageRoutes } from './control/pages/pages.js';
import { payRoutes } from './control/pages/pay.js';
import { recordRoutes } from './control/records/records.js';
import { scenarioRoutes } from './control/scenario/scenario.js';
import { simulateRoutes } from './control/scenario/simulate.js';
import { snapshotRoutes } from './control/snapshots/snapshots.js';
import { sandboxTokenRoutes } from './control/scenario/tokens.js';
import { webhookRoutes } from './control/webhooks/webhooks.js';
import { furtherCustomerRoutes } from './customers/further-routes.js';
import { instrumentCustomerRoutes } from './customers/instrument-routes.js';
import { FURTHER_JOB_HANDLERS } from './further-jobs.js';
import { paymentLinkRoutes } from './payment-links/routes.js';
import { furtherPaymentMethodRoutes } from './payment-methods/further-routes.js';
import { instrumentMethodRoutes } from './payment-methods/instrument-routes.js';
import { infoRoutes } from './providers/info-routes.js';
import { providerRoutes } from './providers/routes.js';
import { settlementRoutes } from './settlements/routes.js';
import { subscriptionRoutes } from './subscriptions/routes.js';
import { tokenRoutes } from './tokens/routes.js';
import { transferRoutes } from './transfers/routes.js';
import { vaultRoutes } from './vault/routes.js';
import { versionRoutes } from './version-routes.js';
import { webhookSubscriptionRoutes } from './webhook-subscriptions/routes.js';
import type { Env } from './http/exchange.js';
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
