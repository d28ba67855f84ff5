import { optionalField, cappedText } from './field.js';
import { TEXT_MAX } from './fields.js';

/** Only http and https: a browser is sent there, and other schemes could run a script. */
function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['https:', 'http:'].includes(new URL(value).protocol);
}

export const optionalWebAddress = () =>
  optionalField(
    cappedText(TEXT_MAX)
      .refine(isWebAddress, { error: 'must be an absolute http or https URL' })
      .meta({ format: 'uri' }),
  );
