import type * as z from 'zod';

import { DURATION_MAX_MS } from '../../core/time/time.js';
import { TOPIC_OF_EVENT } from '../../records/webhook-subscription.js';
import { compileGlob, PATTERN_LENGTH_MAX } from '../../core/text/glob.js';
import * as f from './field.js';
import { refuseTogether } from './field.js';
import { State } from './effects.js';
import { patternField, requireCount, turnFields } from './when.js';

const DUPLICATES_MAX = 10;
const EVENTS = Object.keys(TOPIC_OF_EVENT);

const EventPattern = f
  .textThat(
    `one of ${EVENTS.join(', ')}, or a pattern such as batch.*`,
    (text) => EVENTS.some(compileGlob(text.slice(0, PATTERN_LENGTH_MAX))),
    f.hintNearest(EVENTS),
  )
  .describe('an event such as batch.status.changed, or batch.*');

export const PolicyWhen = f
  .object({
    event: f.oneOrMany(EventPattern).optional(),
    url: f.oneOrMany(patternField('the Url of a webhook')).optional(),
    status: f.oneOrMany(patternField('the Status of the record')).optional(),
    reference: f.oneOrMany(patternField('a Reference')).optional(),
    state: State.optional(),
    ...turnFields,
  })
  .superRefine(requireCount);

const trueField = () => f.choice([true]).optional();

const delayField = () => f.duration(1, DURATION_MAX_MS, '100 years').optional();

/** Effects that cannot be combined with any other: a dropped webhook can have no delay. */
const ALONE = ['swap', 'drop'] as const;

/** Why the second cannot be combined with the first. */
const CONTRADICTIONS = [
  ['first', 'delay', 'a webhook that goes before the answer is not late'],
  ['forged', 'badSignature', 'a forged webhook always has a wrong signature'],
] as const;

const policyEffects = {
  first: trueField().describe(
    '`true`: sends it when the change is committed. The answer of the call that caused it waits until the receiver has answered, at most 2 s of real time. A webhook that no call caused is sent as usual.',
  ),
  duplicate: f
    .whole(1, DUPLICATES_MAX)
    .describe('1 to 10: this many extra copies with the same messageId.')
    .optional(),
  delay: delayField().describe('Sends it this much later on the world’s clock.'),
  swap: trueField().describe(
    '`true`: lets the next webhook to the same Url go first. If none follows, it is sent after a minute of the world’s clock.',
  ),
  drop: trueField().describe('`true`: never sends it, and records that in the log.'),
  badSignature: f
    .choice([true, 'once'])
    .describe(
      '`true`: signs a different text. `once`: only in the first attempt, so that a retry has the right signature.',
    )
    .optional(),
  forged: trueField().describe(
    '`true`: stands for a webhook that the gateway never sent. It claims the status `SUCCESS` and has a wrong signature in all attempts.',
  ),
  staleTimestamp: delayField().describe(
    'Makes the timestamp of the message this much older than the event, such as `10m`.',
  ),
};

export const PolicyThen = f
  .object(policyEffects, 'an effect such as {duplicate: 1}')
  .superRefine((then, context) => {
    const names = Object.keys(then);
    if (names.length === 0)
      refuseTogether(context, `has no effect; add one of ${f.joinWithOr(Object.keys(policyEffects))}`);
    const alone = ALONE.find((name) => then[name] !== undefined);
    for (const other of names) {
      if (alone === undefined || other === alone) continue;
      refuseTogether(
        context,
        `cannot be combined with ${alone}; a policy with ${alone} has no other effect`,
        other,
      );
    }
    for (const [one, other, why] of CONTRADICTIONS) {
      if (then[one] === undefined || then[other] === undefined) continue;
      refuseTogether(context, `cannot be combined with ${one}: ${why}`, other);
    }
  });

/** Times are in milliseconds. */
export type WebhookEffect = Readonly<z.output<typeof PolicyThen>>;
