import { maskSecret, type SecretKind, findSecretKind } from './secret-fields.js';

/** Finds secret fields in JSON, queries and headers within a text, also if they are encoded several times or break off. */

const QUOTE = String.raw`(?:\\|%(?:25)*5C){0,64}(?:["']|(?<=\\)u002[27]|%(?:25)*2[27]|&quot;)`;
const BLANKS = String.raw`(?:\s|\+|%(?:25)*(?:20|0[9AD])|\\[nrt]){0,64}`;
const NAME_START = String.raw`(?<=^|[^\w-]|%(?:25)*[\dA-F]{2}|\\u[\dA-F]{4}|\\[nrt])`;
const NAME = String.raw`[a-z][\w-]{0,40}(?:[ .][a-z][\w-]{0,40}){0,2}`;
/** A name and the sign after it. The name may be the key of a parameter: `card[ccv]=`. */
const FIELD = new RegExp(
  String.raw`${NAME_START}(${NAME})(${QUOTE})?(?:\]|%5D)?${BLANKS}([:=]|%(?:25)*3[AD])${BLANKS}(?:(?:\[|%(?:25)*5B)${BLANKS})?`,
  'gi',
);
/** A value in quotes, up to the same quote without a further escape; or else up to a sign that ends it. */
const VALUE = new RegExp(
  String.raw`(${QUOTE})((?:(?!(?<!\\|5C)\1)[^])*)|((?:bearer|basic)(?:\s|\+|%(?:25)*20)+)?((?:[^\s"',;&}\])\\%]|%(?!(?:25)*(?:2[0267C]|3B|5[CD]|7D)))+)`,
  'iy',
);
const MAY_HAVE_FIELD = /=|%(?:25)*3[AD]|(?:["'\\;]|%\d\d)\s*:|:\s*(?:\d{3}|["'\\[]|bearer|basic)/i;
/** How a value begins after a name in a text that may be prose. */
const SECRET_START = new RegExp(String.raw`${QUOTE}|bearer|basic|\d{3}`, 'iy');
/** `the admin token: send it` is a sentence. */
const PROSE = /(?!bearer |basic )[a-z]+ [a-z]/y;
/** A value that is not secret, whatever its field is named: `null`, `***`, or an object of JSON, whose fields have names of their own. */
const NO_SECRET = new RegExp(
  String.raw`(?:${QUOTE})?(?:true|false|null|undefined|\*+)(?![\w*])|(?:\{|%(?:25)*7B)${BLANKS}(?:${QUOTE}|\}|%(?:25)*7D)`,
  'iy',
);

export function mayHaveSecretField(text: string): boolean {
  return MAY_HAVE_FIELD.test(text);
}

/** Masks the secret fields in a text. A name with only a colon, which is usual in prose, counts in reports alone. */
export function maskFieldsInText(text: string, isReport = false): string {
  if (!isReport && !mayHaveSecretField(text)) return text;
  let masked = '';
  let copied = 0;
  for (const { 0: field, 1: name = '', 2: closing, 3: sign, index } of text.matchAll(FIELD)) {
    const start = index + field.length;
    const isField = closing !== undefined || sign !== ':' || isReport || matchesAt(start, text, SECRET_START);
    const kind = index >= copied && isField ? findKindByEnd(name) : undefined;
    if (kind === undefined || matchesAt(start, text, NO_SECRET)) continue;
    if (matchesAt(start, text, PROSE) && closing === undefined && sign === ':') continue;
    VALUE.lastIndex = start;
    const { 1: quote = '', 2: inQuotes, 3: scheme = '', 4: bare = '' } = VALUE.exec(text) ?? [];
    const from = start + quote.length + scheme.length;
    const value = inQuotes ?? bare;
    masked += text.slice(copied, from) + (value && maskSecret(kind, value));
    copied = from + value.length;
  }
  return masked + text.slice(copied);
}

/** Whether a sticky expression matches there. */
function matchesAt(index: number, text: string, expression: RegExp): boolean {
  expression.lastIndex = index;
  return expression.test(text);
}

/** The kind that the last words of a name show: `DB_PASSWORD`, `the admin token`. */
function findKindByEnd(name: string): SecretKind | undefined {
  const words = name.split(/[ ._-]|(?<=[a-z\d])(?=[A-Z])/);
  for (let at = 0; at < words.length; at++) {
    const kind = findSecretKind(words.slice(at).join('-'));
    if (kind !== undefined) return kind;
  }
  return undefined;
}
