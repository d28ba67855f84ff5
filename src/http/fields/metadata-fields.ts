import * as z from 'zod';

import { METADATA_KEYS_MAX } from '../../core/store/field.js';
import { describeType, explainTooManyKeys } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import { convertField, optionalField, readDigits } from './field.js';
import { TEXT_MAX } from './fields.js';

function readMetadata(value: Record<string, unknown>): Readonly<Record<string, string>> | ValidationError {
  const entries = Object.entries(value);
  if (entries.length > METADATA_KEYS_MAX) {
    return new ValidationError(explainTooManyKeys(entries.length, METADATA_KEYS_MAX));
  }
  const texts: Record<string, string> = {};
  for (const [key, item] of entries) {
    if (item === null || item === undefined) continue;
    const read = typeof item === 'boolean' ? String(item) : readDigits(item);
    if (read === undefined)
      return new ValidationError(`has ${describeType(item)} as a value; values must be strings`);
    if (read.length > TEXT_MAX || key.length > TEXT_MAX) {
      return new ValidationError(`has a key or a value longer than ${TEXT_MAX} characters`);
    }
    texts[key] = read;
  }
  return texts;
}

/** A caller's own map of strings, whose keys are never renamed. Numbers and booleans are stored as strings. */
export const optionalMetadata = () =>
  optionalField(
    convertField(z.record(z.string(), z.unknown()), readMetadata).meta({
      expected: 'an object of strings',
      description: 'Your own keys and values. Keys are never renamed.',
      sent: {
        type: 'object',
        maxProperties: METADATA_KEYS_MAX,
        propertyNames: { maxLength: TEXT_MAX },
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: TEXT_MAX },
      },
    }),
  );
