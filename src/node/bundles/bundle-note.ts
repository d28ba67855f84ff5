import { BUNDLE_NUMBERS } from '../../control/journal/trace.js';
import { quoteForShell } from '../../core/text/text.js';

export const NUMBERS_WARNING = `Warning: this file contains ${BUNDLE_NUMBERS}`;

export function describeOpening(file: string): string {
  return `Open it with: playmoney open ${quoteForShell(file)}`;
}
