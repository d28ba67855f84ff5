import { SUBSCRIPTION_CHARGE } from './subscriptions/record.js';
import { chargeSubscription } from './subscriptions/charging.js';
import { TRANSFER_ARRIVE } from './transfers/record.js';
import { arrive } from './transfers/service.js';
import { single } from './jobs.js';
import type { JobHandlers } from './world.js';

/** What the jobs of records do that only the further app makes or restores: worlds learn it with that. */
export const FURTHER_JOB_HANDLERS: JobHandlers = {
  [SUBSCRIPTION_CHARGE]: single(chargeSubscription),
  [TRANSFER_ARRIVE]: single(arrive),
};
