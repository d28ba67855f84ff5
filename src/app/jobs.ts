import { batchJobs } from '../resources/batches/rows.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE } from '../records/charge.js';
import { endChallenge, expireAuthorisation, settleCharge } from '../resources/charges/later.js';
import { chargeSubscription } from '../resources/subscriptions/charging.js';
import { SUBSCRIPTION_CHARGE } from '../records/subscription.js';
import { playTimelineEntry, SCENARIO_TIMELINE } from '../scenarios/script/timeline.js';
import { CHALLENGE_EXPIRE } from '../records/authentication.js';
import { TOKEN_EXPIRE } from '../records/token.js';
import { expireToken } from '../resources/tokens/service.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE } from '../records/vault-entry.js';
import { TRANSFER_ARRIVE } from '../records/transfer.js';
import { arrive } from '../resources/transfers/service.js';
import { expireCcv, removeEntry } from '../resources/vault/service.js';
import { WEBHOOK_DELIVER } from '../webhooks/record.js';
import type { JobHandler, JobHandlers, World } from '../world/world.js';

/** A handler of jobs that process one record in one step. */
function single(run: (world: World, ref: string) => void): JobHandler {
  return (world, job) => {
    run(world, job.ref);
    return 1;
  };
}

/** The handler of each kind of job, so that the world can run jobs without importing the services. */
export const JOB_HANDLERS: JobHandlers = {
  [AUTHORISATION_EXPIRE]: single(expireAuthorisation),
  [CHARGE_SETTLE]: single(settleCharge),
  [TOKEN_EXPIRE]: single(expireToken),
  [VAULT_EXPIRE]: single(removeEntry),
  [VAULT_CCV_EXPIRE]: single(expireCcv),
  [SUBSCRIPTION_CHARGE]: single(chargeSubscription),
  [TRANSFER_ARRIVE]: single(arrive),
  [CHALLENGE_EXPIRE]: single((world, id) => void endChallenge(world, id, 'timeOut')),
  [WEBHOOK_DELIVER]: single((world, id) => world.dispatch.start(id)),
  [SCENARIO_TIMELINE]: single((world, ref) => playTimelineEntry(world.script, ref)),
  ...batchJobs,
};
