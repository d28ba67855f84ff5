import * as z from 'zod';

import { DURATION_MAX_MS } from '../../core/time/time.js';
import { whyNoOutcome, USELESS_PHASE, isUselessPhase } from '../script/reach.js';
import type { Effect } from '../script/rule.js';
import { Delay, FaultField, OutcomeName, Respond, State } from './effects.js';
import { type FaultSpec, LATE_FAULTS, type EffectPhase, defaultPhase } from './fault.js';
import * as f from './field.js';
import { refuseTogether } from './field.js';

const PHASES: readonly EffectPhase[] = ['before', 'after'];

/** Refuses outcomes that no charge can have, such as unable_to_capture. */
export function requireChargeOutcome(outcome: string, context: z.RefinementCtx): void {
  const why = whyNoOutcome(outcome, ['charge.create']);
  if (why !== null) f.refuseInput(context, `"${outcome}" has no effect: ${why}`, undefined);
}

/** A rule has at most one of these. */
const DECISIONS = ['outcome', 'fault', 'respond', 'nothing'] as const;

const ThenShape = f.object(
  {
    outcome: OutcomeName.optional().describe(
      'The answer of the provider, such as `insufficient_funds`. `playmoney triggers` lists all. It has an effect on every operation that asks a provider: charges, captures, voids, refunds, new customers, payment methods and tokens, settlements, rows of a batch, and charges of subscriptions (`subscription.charge`, with the fields of `charge.create`).',
    ),
    fault: FaultField.optional().describe(
      'The name of a fault, such as `reset` or `status=503`, or `{quota: 5, window: 1s}`: five calls pass in each second of the world’s clock, and further calls get 429.',
    ),
    respond: Respond.optional().describe(
      '`{status, body, retryAfter}`: a response with a body or a `Retry-After` of its own; for a status alone, `fault: status=503` is enough. An object as `body` is sent as JSON.',
    ),
    nothing: f
      .choice([true])
      .describe('`true`: the call is handled as usual, and no later rule is tried.')
      .optional(),
    delay: Delay.optional().describe(
      '`250ms`, `{min: 100ms, max: 2s}` (uniform) or `{median: 800ms, sigma: 0.7}` (log-normal). At most 60 s, in real time under every clock.',
    ),
    phase: f
      .choice(PHASES)
      .describe(
        `\`before\` or \`after\`: whether the fault and the delay come before the operation, so that nothing has happened, or after its commit. Default: \`after\` for faults that send the answer of the operation (\`${LATE_FAULTS.join('`, `')}\`), otherwise \`before\`. \`gateway_timeout\` is the only outcome with a phase: with \`after\` the operation is committed, but the caller still gets the time-out.`,
      )
      .optional(),
    advance: f
      .duration(1, DURATION_MAX_MS, '100 years')
      .describe(
        'Moves the world’s clock forward by this much before the operation, such as `20m`. Jobs that become due run first, as in `POST /_sandbox/clock/advance`. Under every clock.',
      )
      .optional(),
    state: State.optional().describe('Named states and their new values. `null` unsets one.'),
  },
  'an effect such as {outcome: insufficient_funds}',
);

/** Whether a fault says more than its name can. */
function hasOwnResponse(fault: FaultSpec | undefined): fault is FaultSpec & { kind: 'status' } {
  return fault?.kind === 'status' && (fault.body ?? fault.retryAfterSeconds) !== null;
}

export const ThenField = z.codec(ThenShape, z.custom<Effect>(), {
  decode: (then, context): Effect => {
    const [first, second] = DECISIONS.filter((name) => then[name] !== undefined);
    if (second !== undefined) {
      return refuseTogether(context, `cannot be combined with ${first}; a rule has only one of them`, second);
    }
    const { outcome, fault, respond, delay, advance, state } = then;
    if (first === undefined && (delay ?? advance ?? state) === undefined) {
      const accepted = `${DECISIONS.join(', ')}, delay, advance or state`;
      return refuseTogether(context, `has no effect; add one of ${accepted}`);
    }
    const quota = fault !== undefined && 'quota' in fault ? fault : undefined;
    const onTheWay = respond ?? (fault !== undefined && 'kind' in fault ? fault : undefined);
    const { phase = defaultPhase(onTheWay) } = then;
    const effect: Effect = { outcome, fault: onTheWay, quota, delay, phase, advance, state };
    return isUselessPhase(effect) ? refuseTogether(context, USELESS_PHASE, 'phase') : effect;
  },
  encode: ({ outcome, fault, quota, delay, phase, advance, state }) => {
    const says = outcome ?? fault ?? quota ?? delay ?? advance ?? state;
    return {
      outcome,
      fault: hasOwnResponse(fault) ? undefined : (fault ?? quota),
      respond: hasOwnResponse(fault) ? fault : undefined,
      nothing: says === undefined || undefined,
      delay,
      phase: phase === defaultPhase(fault) ? undefined : phase,
      advance,
      state,
    };
  },
});
