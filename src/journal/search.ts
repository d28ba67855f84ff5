import { maskSecrets } from '../core/text/secrets.js';
import type { Entry } from './entry.js';

/**
 * Tests whether an entry contains a text, in any letter case: in its path, status, bodies, trigger and the like. Only what the
 * journal shows is searched. So a card number is found by its mask, and a whole one also finds its mask.
 */
export function buildTextFilter(wanted: string): (entry: Entry) => boolean {
  const plain = [wanted, maskSecrets(wanted)].map((text) => text.toLowerCase());
  // Within JSON, quotes and line breaks are escaped.
  const forms = [...new Set([...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1))])];
  const hasStar = forms.some((form) => form.includes('*'));
  const isIn = (text: string): boolean => {
    const small = text.toLowerCase();
    return forms.some((form) => small.includes(form));
  };
  // Masking only removes characters or replaces them by `*`, so most answers need not be masked to see that they do not match.
  const sought = hasStar ? [''] : forms;
  return (entry) =>
    isIn(searchedHead(entry)) ||
    (entry.request !== null && isIn(entry.request)) ||
    (entry.mayContain(sought) && isIn(JSON.stringify(entry.answer)));
}

/** The texts in a line of the journal, without the bodies. */
function searchedHead(entry: Entry): string {
  const { method, path, query, operation, status, requestId, trigger, rule, fault, warning } = entry;
  return [`${method} ${path}?${query}`, operation, status, requestId, trigger, rule, fault, warning].join(
    '\n',
  );
}
