import { DIALECTS } from '../core/dialect.js';
import { orNull, type Shape, text, whole, word } from './state-shape.js';

/** Members that records of several kinds have in a document. */

/** Far above what any call takes, so that every document that was written can be read. */
export const LONG = 65_536;
/** The last instant that a date can show, in milliseconds since 1970: what is due may lie behind the clock's end. */
const INSTANT_MAX = 8_640_000_000_000_000;

export const anyText = text(LONG);
export const maybeText = orNull(anyText);
export const instant = whole(0, INSTANT_MAX);
export const maybeInstant = orNull(instant);
export const webhookMembers = { url: anyText, authorization: maybeText, dialect: word(...DIALECTS) };

/** A record without its number: that is its place in the list. */
export type Unnumbered<R> = Shape<Omit<R, 'index'>>;
