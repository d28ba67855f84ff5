import { CHARGES } from '../charges/routes.js';
import { PAYMENT_LINKS, PROVIDERS, SUBSCRIPTIONS, TRANSFERS, WEBHOOKS } from './account-operations.js';
import { JOURNAL, SCRIPT, SNAPSHOTS, WORLD } from './control-operations.js';
import { LOOKING_ON } from './looking-operations.js';
import type { Section } from './operation.js';
import { PAGES } from './page-operations.js';
import { BATCHES } from './payment-operations.js';
import { CUSTOMERS, PAYMENT_METHODS } from './person-operations.js';
import { TOKENS, VAULT } from './vault-operations.js';

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [
  CHARGES,
  CUSTOMERS,
  PAYMENT_METHODS,
  VAULT,
  TOKENS,
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
  LOOKING_ON,
  PAGES,
];

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
