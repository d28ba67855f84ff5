/**
 * A part of a sentence: plain, strong, or what a field names. Whoever shows it decides where the value of a field leads, such as
 * CustomerId or Rule.
 */
export type SentencePart =
  | string
  | { readonly strong: string }
  | { readonly text: string; readonly field: string; readonly value: string };

/** A sentence, or several. */
export type SentenceParts = readonly SentencePart[];

/** Where the value of a field leads; null if nowhere. */
export type LinkOf = (field: string, value: string) => string | null;

export function say(
  texts: TemplateStringsArray,
  ...values: readonly (SentencePart | SentenceParts)[]
): SentenceParts {
  return texts.flatMap((text, n) => [text, ...[values[n] ?? ''].flat()]).filter((part) => part !== '');
}

export const strong = (text: string): SentencePart => ({ strong: text });

export function fieldPart(field: string, value: string, text = value): SentencePart {
  return { text, field, value };
}

/** Sentences one after the other; empty ones are left out. */
export function joinSentences(...all: readonly SentenceParts[]): SentenceParts {
  return all
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, n) => (n === 0 ? sentence : [' ', ...sentence]));
}

export function toPlainText(sentence: SentenceParts): string {
  return sentence
    .map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.text))
    .join('');
}
