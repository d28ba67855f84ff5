import { currencyExponent, formatAmount } from '../core/money.js';
import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import { answerCall, type ProviderAnswer } from '../outcomes/provider.js';
import type { World } from '../world.js';
import { type Charge, CHARGE_SETTLE, nextStatus } from './record.js';
import { scriptedOutcome } from './scripted.js';
import { failureOf } from './service.js';

/** The job of a charge that waits for a bank: it succeeds, or fails where its account or a script says so. */
export function settleCharge(world: World, id: string): void {
  const found = world.charges.find(id);
  const success = found && nextStatus(found.status, 'settle');
  const failure = found && nextStatus(found.status, 'fail');
  if (!found || !success || !failure) return;
  const answer = askBank(world, found);
  world.jobs.cancel(CHARGE_SETTLE, id);
  world.charges.replace(
    approved(answer.outcome)
      ? { ...found, status: success, successDate: world.now }
      : {
          ...found,
          status: failure,
          more: {
            ...found.more,
            failedAttempts: [...found.more.failedAttempts, failureOf(world, found.providerId, answer)],
          },
        },
  );
  world.webhooks.tell('transaction.status.changed', id, found.more.webhook);
}

/** The payer's bank speaks, not the provider: it is as steady as the first of them. */
function askBank(world: World, found: Charge): ProviderAnswer {
  const { amountMinor, currency, source } = found;
  const override = scripted(world, found);
  const bank = { providerId: DEFAULT_PROVIDER_ID, configured: null };
  const asked = { amountMinor, currency, trigger: source.trigger, override };
  return answerCall({ operation: 'charge.settle', ...bank, ...asked }, world.chance);
}

function scripted(world: World, found: Charge): Override | null {
  if (world.script.isIdle) return null;
  const { providerId, amountMinor, currency, reference, customer, paymentMethod } = found;
  return scriptedOutcome(world, {
    operation: 'charge.settle',
    providerId,
    cardNumber: null,
    amount: formatAmount(amountMinor, currencyExponent(currency) ?? 2),
    currency,
    reference,
    customerId: customer,
    paymentMethodId: paymentMethod,
  });
}
