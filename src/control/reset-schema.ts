import * as z from 'zod';

import { toPascalCase } from '../core/store/codec.js';
import { readJsonOption, type OptionRow } from '../core/option.js';
import { ValidationError } from '../core/validation-error.js';
import {
  digitsField,
  optionalField,
  convertField,
  toCamelCase,
  requestSchema,
  cappedText,
} from '../http/fields/field.js';
import { optionalText, requiredText, TEXT_MAX } from '../http/fields/fields.js';
import { NO_OWN_SETTINGS, type OwnSettings, WORLD_NAME_MAX, WORLD_OPTIONS } from '../world/settings.js';
import { readClockSpeed, clockFields } from './clock-schema.js';

/** The maximum length of a seed: our own limit. */
export const SEED_LENGTH_MAX = 256;
/** A seed is a string; a whole number counts as the string of its digits. */
const SEED_WRONG = `must be a string of 1 to ${SEED_LENGTH_MAX} characters such as "42"`;

const seedField = () =>
  optionalField(
    convertField(digitsField(), (value) => {
      const given = String(value);
      return given !== '' && given.length <= SEED_LENGTH_MAX ? given : new ValidationError(SEED_WRONG);
    }).meta({
      wrong: SEED_WRONG,
      sent: { type: ['string', 'number'], minLength: 1, maxLength: SEED_LENGTH_MAX },
    }),
  );

/** A setting of one world: true or false, or a text as on the command line. */
function settingField(row: OptionRow<unknown>) {
  const checks = { 'x-server-checks': `It must be ${row.mustBe}.` };
  const schema =
    row.argument === undefined
      ? z.boolean()
      : convertField(cappedText(TEXT_MAX), (value) => readJsonOption(row, value)).meta({
          wrong: (kind) => `is ${kind}; it must be ${row.mustBe}`,
          sent: { type: 'string', maxLength: TEXT_MAX, ...checks },
        });
  return optionalField(schema).describe(`${row.help.charAt(0).toUpperCase()}${row.help.slice(1)}.`);
}

/** The fields Dialect, Strict, … of a reset. */
const settingsField = () =>
  z.object(
    Object.fromEntries(
      Object.entries<OptionRow<unknown>>(WORLD_OPTIONS).map(([name, row]) => [
        toPascalCase(name),
        settingField(row),
      ]),
    ),
  );

export const ResetWorld = requestSchema(
  () => ({
    Seed: seedField().describe('The seed of identifiers and random choices.'),
    Scenario: optionalText().describe('The name of a scenario from GET /_sandbox/scenarios.'),
    Name: optionalField(requiredText('"shop > pays by card"', WORLD_NAME_MAX)).describe(
      'Identifiers and random choices come from Seed and Name. Default: the key.',
    ),
    Clock: optionalField(
      z
        .object(clockFields('Where the clock starts.'))
        .transform((body, context) => ({ ...readClockSpeed(body, context), start: body.Now })),
    ).describe('The clock of the new world, as in PUT /_sandbox/clock.'),
    Settings: optionalField(settingsField().transform(toCamelCase)).describe(
      'Settings of this world in place of those of the server.',
    ),
  }),
  ({ Seed, Scenario, Name, Clock, Settings }) => ({
    seed: Seed,
    scenario: Scenario,
    own: { ...NO_OWN_SETTINGS, ...Settings, name: Name, clock: Clock } as OwnSettings,
  }),
);
