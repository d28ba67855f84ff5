import * as z from 'zod';

import { pascalCase } from '../core/store/codec.js';
import { readValue, type Row } from '../core/option.js';
import { ValidationError } from '../core/validation-error.js';
import { digits, optional, readAs, renamed, request, textUpTo } from '../http/fields/field.js';
import { optionalText, text, TEXT_MAX } from '../http/fields/fields.js';
import { NOTHING_OWN, type OwnSettings, WORLD_NAME_MAX, WORLD_OPTIONS } from '../world/settings.js';
import { clockChange, clockFields } from './schema.js';

/** The maximum length of a seed: our own limit. */
export const SEED_LENGTH_MAX = 256;
/** A seed is a string; a whole number counts as the string of its digits. */
const SEED_WRONG = `must be a string of 1 to ${SEED_LENGTH_MAX} characters such as "42"`;

const seed = () =>
  optional(
    readAs(digits(), (value) => {
      const given = String(value);
      return given !== '' && given.length <= SEED_LENGTH_MAX ? given : new ValidationError(SEED_WRONG);
    }).meta({
      wrong: SEED_WRONG,
      sent: { type: ['string', 'number'], minLength: 1, maxLength: SEED_LENGTH_MAX },
    }),
  );

/** A setting of one world: true or false, or a text as on the command line. */
function setting(row: Row<unknown>) {
  const checks = { 'x-server-checks': `It must be ${row.mustBe}.` };
  const schema =
    row.argument === undefined
      ? z.boolean()
      : readAs(textUpTo(TEXT_MAX), (value) => readValue(row, value)).meta({
          wrong: (kind) => `is ${kind}; it must be ${row.mustBe}`,
          sent: { type: 'string', maxLength: TEXT_MAX, ...checks },
        });
  return optional(schema).describe(`${row.help.charAt(0).toUpperCase()}${row.help.slice(1)}.`);
}

/** The fields Dialect, Strict, … of a reset. */
const settings = () =>
  z.object(
    Object.fromEntries(
      Object.entries<Row<unknown>>(WORLD_OPTIONS).map(([name, row]) => [pascalCase(name), setting(row)]),
    ),
  );

export const ResetWorld = request(
  () => ({
    Seed: seed().describe('The seed of identifiers and random choices.'),
    Scenario: optionalText().describe('The name of a scenario from GET /_sandbox/scenarios.'),
    Name: optional(text('"shop > pays by card"', WORLD_NAME_MAX)).describe(
      'Identifiers and random choices come from Seed and Name. Default: the key.',
    ),
    Clock: optional(
      z
        .object(clockFields('Where the clock starts.'))
        .transform((body, context) => ({ ...clockChange(body, context), start: body.Now })),
    ).describe('The clock of the new world, as in PUT /_sandbox/clock.'),
    Settings: optional(settings().transform(renamed)).describe(
      'Settings of this world in place of those of the server.',
    ),
  }),
  ({ Seed, Scenario, Name, Clock, Settings }) => ({
    seed: Seed,
    scenario: Scenario,
    own: { ...NOTHING_OWN, ...Settings, name: Name, clock: Clock } as OwnSettings,
  }),
);
