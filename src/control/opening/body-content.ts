import { quoteText, parseJson } from '../../core/text/text.js';
import { detectUtf16 } from '../../http/body/utf8.js';

/** A body as text, which is empty if there was none, or why it cannot be recorded. */
export interface BodyContent {
  readonly text: string;
  /** Null if nothing was lost. */
  readonly lost: string | null;
}

/** The object or array that a text is the JSON of; undefined for any other text. */
export function parseObject(text: string): object | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

export const NOTHING: BodyContent = { text: '', lost: null };

export function buildLoss(reason: string): BodyContent {
  return { text: '', lost: reason };
}

/** Group 2 is the name of the character set. */
const CHARSET = /(;\s*charset\s*=\s*)"?([^\s";,]+)"?/i;

/** Decodes the characters of a body by its byte order mark, or by the charset in its type. The default is UTF-8. */
export function readCharacters(bytes: Uint8Array, type: string): BodyContent {
  const charset = detectUtf16(bytes) ?? CHARSET.exec(type)?.[2] ?? 'utf-8';
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), lost: null };
  } catch (error) {
    const isUnknown = error instanceof RangeError;
    return buildLoss(
      isUnknown ? `charset ${quoteText(charset)}` : `bytes that are not ${charset.toUpperCase()}`,
    );
  }
}

/** The type of a body once its text is recorded: a replay sends UTF-8. */
export function toUtf8Type(type: string): string {
  return type.replace(CHARSET, '$1utf-8');
}
