import { maskPans } from '../../core/cards/card.js';
import { formatDuration } from '../../core/time/time.js';
import { faultName } from '../../scenarios/file/fault.js';
import type { DelaySpec, ScriptStep } from '../../scenarios/script/model.js';
import type { Queue } from '../../scenarios/script/queue.js';
import type { QueueResponse } from './schema.js';

export function presentQueue({ id, steps, ...calls }: Queue): QueueResponse {
  return {
    OutcomeQueueId: id,
    ...presentMatched(calls),
    Left: steps.length,
    Outcomes: steps.map(presentStep),
  };
}

export function presentMatched({ operation, match }: Pick<Queue, 'operation' | 'match'>) {
  return {
    Operation: operation,
    Match: {
      Reference: match.reference ?? null,
      ProviderId: match.providerId ?? null,
      CardNumber: match.cardNumber === undefined ? null : maskPans(match.cardNumber),
      Amount: match.amount ?? null,
    },
  };
}

/** A step in the format of the request that queued it; one that is just an outcome is its name. */
export function presentStep({ outcome, fault, delay, phase }: ScriptStep): string | Record<string, unknown> {
  if (outcome !== undefined && delay === undefined && phase === 'before') return outcome;
  return {
    ...(outcome === undefined ? {} : { Outcome: outcome }),
    ...(fault === undefined ? {} : { Fault: faultName(fault) }),
    ...(delay === undefined ? {} : { Delay: presentDelay(delay) }),
    Phase: phase,
  };
}

function presentDelay(delay: DelaySpec): string | object {
  switch (delay.kind) {
    case 'fixed':
      return formatDuration(delay.ms);
    case 'uniform':
      return { Min: formatDuration(delay.minMs), Max: formatDuration(delay.maxMs) };
    case 'lognormal':
      return { Median: formatDuration(delay.medianMs), Sigma: delay.sigma };
  }
}
