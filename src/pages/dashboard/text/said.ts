/**
 * A part of a sentence: plain, strong, or what a field names. Whoever shows it decides where the value of a field leads, such as
 * CustomerId or Rule.
 */
export type Part =
  | string
  | { readonly strong: string }
  | { readonly text: string; readonly field: string; readonly value: string };

/** A sentence, or several. */
export type Said = readonly Part[];

/** Where the value of a field leads; null if nowhere. */
export type LinkOf = (field: string, value: string) => string | null;

export function say(texts: TemplateStringsArray, ...values: readonly (Part | Said)[]): Said {
  return texts.flatMap((text, n) => [text, ...[values[n] ?? ''].flat()]).filter((part) => part !== '');
}

export const strong = (text: string): Part => ({ strong: text });

export function named(field: string, value: string, text = value): Part {
  return { text, field, value };
}

/** Sentences one after the other; empty ones are left out. */
export function sentences(...all: readonly Said[]): Said {
  return all.filter((one) => one.length > 0).flatMap((one, n) => (n === 0 ? one : [' ', ...one]));
}

export function plain(said: Said): string {
  return said
    .map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.text))
    .join('');
}
