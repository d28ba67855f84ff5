import { BUNDLE_NUMBERS } from '../../control/journal/trace.js';
import { shellQuoted } from '../../core/text/text.js';

export const NUMBERS_WARNING = `Warning: this file contains ${BUNDLE_NUMBERS}`;

export function openedBy(file: string): string {
  return `Open it with: playmoney open ${shellQuoted(file)}`;
}
