import * as z from 'zod';

import { type Section, type AnyRow, route } from '../http/route.js';
import { BATCHES } from './batches/routes.js';
import { CHARGES } from './charges/routes.js';
import { CHECKOUTS } from './checkouts/routes.js';
import { CUSTOMERS } from './customers/routes.js';
import { PAYMENT_LINKS } from './payment-links/routes.js';
import { PAYMENT_METHODS } from './payment-methods/routes.js';
import { PROVIDER_ROWS } from './providers/routes.js';
import { SETTLEMENT_ROWS } from './settlements/routes.js';
import { SUBSCRIPTIONS } from './subscriptions/routes.js';
import { THREE_D_SECURE } from './three-d-secure/routes.js';
import { TOKENS } from './tokens/routes.js';
import { TRANSFER_ROWS } from './transfers/routes.js';
import { VAULT } from './vault/routes.js';
import { WEBHOOKS } from './webhook-subscriptions/routes.js';
import { instant } from '../http/answers/answers.js';
import { requireWorld } from '../http/exchange.js';
import { VERSION } from '../core/version.js';

/** The release date and the region: our assumption, because playmoney is no installation of the service. */
const RELEASED = '2026-01-01T00:00:00.000Z';
const REGION = 'au';

const VersionResponse = z.lazy(() =>
  z.strictObject({ Version: z.string(), Released: instant(), Region: z.string() }),
);

const VERSION_ROWS: readonly AnyRow[] = [
  route({
    method: 'get',
    path: '/version',
    id: 'getVersion',
    operation: 'version.read',
    summary: 'Read the version of the service',
    text: 'Returns the version of playmoney, with a fixed date and region.',
    response: VersionResponse,
    handle: (c) => {
      requireWorld(c);
      return { Version: VERSION, Released: RELEASED, Region: REGION };
    },
  }),
];

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

/** Every operation of the service, in the order of the documents. */
export const SERVICE_SECTIONS: readonly Section[] = [
  CHARGES,
  CUSTOMERS,
  PAYMENT_METHODS,
  VAULT,
  TOKENS,
  THREE_D_SECURE,
  CHECKOUTS,
  BATCHES,
  SUBSCRIPTIONS,
  PAYMENT_LINKS,
  TRANSFERS,
  PROVIDERS,
  WEBHOOKS,
];
