import { JsonFault } from '../core/json/json-fault.js';
import { readJson } from '../core/json/json.js';
import { NumberText, isObject } from '../core/text/text.js';
import {
  CREDENTIAL_NAMES,
  HIDDEN,
  maskSecret,
  type SecretKind,
  findSecretKind,
} from '../core/text/secret-fields.js';
import { maskKeys, maskPasswords } from '../core/text/secrets.js';
import { type MaskedBody, maskAndCutBody, NO_BODY, REQUEST_MAX } from './body.js';
import { beginsWithDigit, isSecretName } from './mask-names.js';

/** The body of a request as the journal stores it: its text as it was sent, or the masked beginning of a long one. */
export type SentBody = string | MaskedBody;

/** The stored form of a request's body, which was read as `value`; undefined if it is not JSON. */
export function toSentBody(text: string, value: unknown): SentBody {
  const isShort = text.length > 0 && text.length <= REQUEST_MAX;
  if (isShort) return text;
  return value === undefined ? maskUnreadText(text) : maskAndCutBody(value, text, []);
}

/** Masks the text of a request. Keeps white space and zeros as they were sent, where it can. */
export function maskSentText(text: string): MaskedBody {
  const found = new SecretFinder();
  try {
    return found.mask(text, readJson(text, found.add));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return maskUnreadText(text);
  }
}

/** Includes the rest of the line: where the value ends is unknown without parsing. */
const CREDENTIAL = new RegExp(`(${CREDENTIAL_NAMES}).*`, 'gi');

/** Shows text that is not JSON as a JSON string, with all digits masked, because they may be those of a card. */
export function maskUnreadText(text: string): MaskedBody {
  const shown = maskKeys(text.slice(0, REQUEST_MAX))
    .replace(CREDENTIAL, `$1 ${HIDDEN}`)
    .replaceAll(/\p{Nd}/gu, '*');
  const truncated = text.length > REQUEST_MAX;
  return { ...NO_BODY, text: maskPasswords(JSON.stringify(shown)), truncated };
}

interface SecretField {
  readonly kind: SecretKind;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** The secrets in a JSON text that the names of their fields show. */
class SecretFinder {
  readonly #secrets: SecretField[] = [];
  /** Whether the text contains something that cannot be masked in place. */
  #mustRewrite = false;

  /** Receives each field while the text is read. Its value is in the text from `from` up to `to`. */
  readonly add = (name: string, value: unknown, from: number, to: number): void => {
    // The name may be a card number, and objects do not keep the order of numeric names.
    if (beginsWithDigit(name) || isSecretName(name)) this.#mustRewrite = true;
    const isNumberText = value instanceof NumberText;
    // JSON.parse would read so large a number as Infinity.
    if (isNumberText && !Number.isFinite(Number(value.text))) this.#mustRewrite = true;
    if (value === null) return;
    const kind = findSecretKind(name);
    if (kind === undefined) return;
    // The fields of the object were added before it.
    if (kind === 'object' && isObject(value) && !isNumberText) return;
    if (kind === 'object' || typeof value === 'object') this.#mustRewrite = true;
    else this.#secrets.push({ kind, value, from, to });
  };

  mask(text: string, value: unknown): MaskedBody {
    const rewritten = maskAndCutBody(value, text, []);
    const isPlainObject = isObject(value) && !(value instanceof NumberText);
    // A difference in number means that there are secrets which only their values show.
    const isInPlace =
      isPlainObject && !this.#mustRewrite && rewritten.standIns.length === this.#secrets.length;
    return isInPlace ? { ...rewritten, text: maskPasswords(this.#maskedInPlace(text)) } : rewritten;
  }

  #maskedInPlace(text: string): string {
    let masked = '';
    let at = 0;
    for (const { kind, value, from, to } of this.#secrets) {
      const shown = typeof value === 'boolean' ? HIDDEN : maskSecret(kind, String(value));
      masked += text.slice(at, from) + JSON.stringify(shown);
      at = to;
    }
    return masked + text.slice(at);
  }
}
