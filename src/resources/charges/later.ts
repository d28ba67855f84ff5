import { formatAmount } from '../../core/money.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import type { Override } from '../../outcomes/header.js';
import type { ProviderOperation } from '../../outcomes/magic.js';
import { isApproved } from '../../outcomes/outcomes.js';
import { decideAnswer, type ProviderAnswer, type ProviderCall } from '../../outcomes/provider.js';
import type { Authentication, ChallengeEnding } from '../../records/authentication.js';
import {
  AUTHORISATION_EXPIRE,
  type Charge,
  CHARGE_SETTLE,
  type ChargeEvent,
  nextStatus,
} from '../../records/charge.js';
import type { World } from '../../world/world.js';
import { answerAfterChallenge } from '../three-d-secure/charging.js';
import { finishChallenge } from '../three-d-secure/service.js';
import { notifyCharge, addFailedAttempt } from './changes.js';
import { findScriptedOutcome } from './scripted.js';
import { failOver } from './failover.js';
import { addDecision, addFailedCalls } from './attempts.js';
import { PLAIN_DETAILS } from './service.js';
import { transferFromCharge } from './transfer.js';

/** Later changes of a charge, without a call of a client. */

/** The job that voids an authorisation that was not captured in time. */
export function expireAuthorisation(world: World, id: string): void {
  const found = world.charges.find(id);
  const status = found && nextStatus(found.status, 'expire');
  if (!found || !status) return;
  const after = { ...found, status, more: { ...found.more, voidDate: world.now } };
  world.charges.replace(after);
  notifyCharge(world, after);
}

/** The job of a charge that waits for a bank. It succeeds unless its account or a script says otherwise. */
export function settleCharge(world: World, id: string): void {
  const found = world.charges.find(id);
  if (found?.source.type !== 'BANK_ACCOUNT' || !nextStatus(found.status, 'settle')) return;
  const answer = askBank(world, found);
  world.jobs.cancel(CHARGE_SETTLE, id);
  concludeCharge(world, found, 'charge.settle', answer, 'settle');
}

/** Ends a challenge, and the charge that waits for it. */
export function endChallenge(world: World, id: string, ending: ChallengeEnding): Authentication {
  const ended = finishChallenge(world, id, ending);
  const found = ended.charge === null ? undefined : world.charges.find(ended.charge);
  if (found === undefined) return ended;
  const { providerId, amountMinor, currency } = found;
  const configured = world.providers.findByProviderId(providerId);
  const call = { providerId, configured, amountMinor, currency };
  const answer = answerAfterChallenge(world, ended, call);
  const capture = found.authorisedMinor === null;
  const first = {
    call: { ...call, operation: 'charge.create', trigger: null, override: null },
    decided: { answer, authentication: ended },
  } as const;
  const { reference, more } = found;
  const terms = { ...PLAIN_DETAILS, capture, reference, subscription: more.subscription };
  const asked = failOver(world, { ...found, token: more.token }, terms, first, ended);
  const tried = addFailedCalls(world, more, asked.earlier);
  const moved = { ...found, providerId: asked.providerId, more: tried };
  concludeCharge(world, moved, 'charge.create', asked.decided.answer, capture ? 'settle' : 'authorise');
  return ended;
}

/** Settles a pending charge. */
function concludeCharge(
  world: World,
  found: Charge,
  operation: ProviderOperation,
  answer: ProviderAnswer,
  event: ChargeEvent,
): void {
  const isGood = isApproved(answer.outcome);
  const status = nextStatus(found.status, isGood ? event : 'fail');
  if (!status) return;
  const successDate = status === 'SUCCESS' ? world.now : null;
  const failed = isGood ? found : { ...addFailedAttempt(world, found, answer), authorisedMinor: null };
  const more = addDecision(world, failed.more, operation, answer.trigger);
  const after = { ...failed, status, successDate, more };
  world.charges.replace(after);
  if (more.transfer !== null) transferFromCharge(world, after, more.transfer);
  if (status === 'Authorised')
    world.jobs.schedule(world.now + world.settings.authorisationTtl, AUTHORISATION_EXPIRE, found.id);
  notifyCharge(world, found);
}

/** The payer's bank answers, not the provider. It behaves like `steady`. */
function askBank(world: World, found: Charge): ProviderAnswer {
  const bank = { providerId: DEFAULT_PROVIDER_ID, configured: null };
  return answerPending(world, found, { operation: 'charge.settle', ...bank, override: null });
}

/** The answer to a charge that waited. Without an override, an outcome for `charge.settle` decides it. */
function answerPending(
  world: World,
  found: Charge,
  asked: Pick<ProviderCall, 'operation' | 'providerId' | 'configured' | 'override'>,
): ProviderAnswer {
  const { amountMinor, currency, source } = found;
  const facts = { amount: formatAmount(amountMinor, currency), currency, reference: found.reference };
  const override = asked.override ?? findScriptedOutcome(world, 'charge.settle', found, facts);
  return decideAnswer({ ...asked, amountMinor, currency, trigger: source.trigger, override }, world.chance);
}

/** Ends the wait of a charge for its check-out. Without a decision against it, the provider answers. */
export function concludeCheckout(world: World, found: Charge, override: Override | null): void {
  const { providerId, authorisedMinor } = found;
  const configured = world.providers.findByProviderId(providerId);
  const asked = { operation: 'charge.create', providerId, configured, override } as const;
  const event = authorisedMinor === null ? 'approve' : 'authorise';
  concludeCharge(world, found, 'charge.create', answerPending(world, found, asked), event);
}
