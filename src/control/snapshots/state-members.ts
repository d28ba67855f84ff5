import { DIALECTS } from '../../core/dialect.js';
import { currencyExponent } from '../../core/money.js';
import { isProviderId } from '../../outcomes/built-in.js';
import { METADATA_KEYS_MAX } from '../../http/fields.js';
import { orNull, type Shape, text, texts, whole, word } from './state-shape.js';

/** Members that records of several kinds have in a document. */

/** Far above what any call takes, so that every document that was written can be read. */
export const LONG = 65_536;
/** The last instant that a date can show, in milliseconds since 1970: what is due may lie behind the clock's end. */
const INSTANT_MAX = 8_640_000_000_000_000;

export const anyText = text(LONG);
export const maybeText = orNull(anyText);
export const instant = whole(0, INSTANT_MAX);
export const maybeInstant = orNull(instant);
export const minor = whole(0, Number.MAX_SAFE_INTEGER);
export const recordNumber = whole(0, 0xffff_ffff);

export const metadata = orNull(texts(METADATA_KEYS_MAX, LONG));
export const webhookMembers = { url: anyText, authorization: maybeText, dialect: word(...DIALECTS) };

export const providerId = text(36, isProviderId, 'a ProviderId');
export const currency = text(
  3,
  (value) => currencyExponent(value) !== undefined,
  'an ISO 4217 code such as AUD',
);

/** A record without its number: that is its place in the list. */
export type Unnumbered<R> = Shape<Omit<R, 'id' | 'index'>>;
