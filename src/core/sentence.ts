/** A text as a sentence: a full stop ends it, unless it ends already, or asks whether something else was meant. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
