import { BATCHES } from '../resources/batches/routes.js';
import { CHARGES } from '../resources/charges/routes.js';
import { JOURNAL } from '../control/journal/routes.js';
import { PAGES } from '../control/pages/routes.js';
import { OBSERVING } from '../control/records/routes.js';
import { WORLD } from '../control/routes.js';
import { SCRIPT } from '../control/scenario/routes.js';
import { SNAPSHOTS } from '../control/snapshots/routes.js';
import { CUSTOMERS } from '../resources/customers/routes.js';
import type { Section } from '../http/route.js';
import { PAYMENT_LINKS } from '../resources/payment-links/routes.js';
import { PAYMENT_METHODS } from '../resources/payment-methods/routes.js';
import { PROVIDER_ROWS } from '../resources/providers/routes.js';
import { SETTLEMENT_ROWS } from '../resources/settlements/routes.js';
import { SUBSCRIPTIONS } from '../resources/subscriptions/routes.js';
import { THREE_D_SECURE } from '../resources/three-d-secure/routes.js';
import { TOKENS } from '../resources/tokens/routes.js';
import { TRANSFER_ROWS } from '../resources/transfers/routes.js';
import { VAULT } from '../resources/vault/routes.js';
import { VERSION_ROWS } from '../resources/version.js';
import { WEBHOOKS } from '../resources/webhook-subscriptions/routes.js';

const TRANSFERS: Section = {
  tag: 'Transfers and settlements',
  text: 'Transfers of collected funds to other accounts, and settlements.',
  rows: [...TRANSFER_ROWS, ...SETTLEMENT_ROWS],
};

const PROVIDERS: Section = {
  tag: 'Providers',
  text: 'The gateway accounts that process charges, and what checkout pages need to know about them.',
  rows: [...PROVIDER_ROWS, ...VERSION_ROWS],
};

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [
  CHARGES,
  CUSTOMERS,
  PAYMENT_METHODS,
  VAULT,
  TOKENS,
  THREE_D_SECURE,
  BATCHES,
  SUBSCRIPTIONS,
  PAYMENT_LINKS,
  TRANSFERS,
  PROVIDERS,
  WEBHOOKS,
  WORLD,
  SCRIPT,
  JOURNAL,
  SNAPSHOTS,
  OBSERVING,
  PAGES,
];

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
