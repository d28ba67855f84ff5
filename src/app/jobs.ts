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
import { completeTransfer } from '../resources/transfers/service.js';
import { expireCcv, removeVaultEntry } from '../resources/vault/service.js';
import { WEBHOOK_DELIVER } from '../webhooks/delivery.js';
import type { JobHandler, JobHandlers, World } from '../world/world.js';

/** A handler of jobs that process one record in one step. */
function oneStepHandler(run: (world: World, ref: string) => void): JobHandler {
  return (world, job) => {
    run(world, job.ref);
    return 1;
  };
}

/** The handler of each kind of job, so that the world can run jobs without importing the services. */
export const JOB_HANDLERS: JobHandlers = {
  [AUTHORISATION_EXPIRE]: oneStepHandler(expireAuthorisation),
  [CHARGE_SETTLE]: oneStepHandler(settleCharge),
  [TOKEN_EXPIRE]: oneStepHandler(expireToken),
  [VAULT_EXPIRE]: oneStepHandler(removeVaultEntry),
  [VAULT_CCV_EXPIRE]: oneStepHandler(expireCcv),
  [SUBSCRIPTION_CHARGE]: oneStepHandler(chargeSubscription),
  [TRANSFER_ARRIVE]: oneStepHandler(completeTransfer),
  [CHALLENGE_EXPIRE]: oneStepHandler((world, id) => void endChallenge(world, id, 'timeOut')),
  [WEBHOOK_DELIVER]: oneStepHandler((world, id) => world.runningDeliveries.start(id)),
  [SCENARIO_TIMELINE]: oneStepHandler((world, ref) => playTimelineEntry(world.script, ref)),
  ...batchJobs,
};
