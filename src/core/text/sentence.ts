/** Ends a text with a full stop, unless it already ends with a full stop, a question mark or an exclamation mark. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
