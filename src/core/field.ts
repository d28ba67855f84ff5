import { decodeBase64, encodeBase64 } from './base64.js';
import * as codec from './codec.js';
import { currencyExponent } from './money.js';
import { isUuid } from './text.js';

export * from './codec.js';

/** Fields that records of several kinds have. */

/** Far above what any call takes, so that every document that was written can be read. */
export const LONG = 65_536;
export const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** The last instant that a date can show, in milliseconds since 1970: what is due may lie behind the clock's end. */
const INSTANT_MAX = 8_640_000_000_000_000;
const INDEX_MAX = 0xffff_ffff;
/** How many keys the Metadata of a record have at most: our own limit. */
export const METADATA_KEYS_MAX = 50;

export const anyText = codec.text(LONG);
export const maybeText = codec.orNull(anyText);
export const instant = codec.whole(0, INSTANT_MAX);
export const maybeInstant = codec.orNull(instant);
export const minor = codec.whole(0, COUNT_MAX);
export const maybeMinor = codec.orNull(minor);
export const count = codec.whole(0, COUNT_MAX);
export const maybeCount = codec.orNull(count);
export const recordIndex = codec.whole(0, INDEX_MAX);
export const callersMap = codec.texts(METADATA_KEYS_MAX, LONG);
export const metadata = codec.orNull(callersMap);

export const anyProviderId = codec.text(36, isUuid, 'a ProviderId');
export const currency = codec.text(
  3,
  (value) => currencyExponent(value) !== undefined,
  'an ISO 4217 code such as AUD',
);
export const hexId = codec.text(
  32,
  (value) => /^[\da-f]{32}$/.test(value),
  '32 hexadecimal digits in small letters',
);

export const bytes: codec.Codec<Uint8Array> = {
  read: (value) =>
    (typeof value === 'string' ? decodeBase64(value) : undefined) ?? codec.invalid('must be bytes as Base64'),
  write: encodeBase64,
};

/** A long text as the Base64 of its UTF-8, which needs no escapes. */
export const utf8: codec.Codec<string> = {
  read: (value) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.read(value)),
  write: (value) => bytes.write(new TextEncoder().encode(value)),
};

export const webhookFields = {
  url: anyText,
  /** Sent as it is in the header of that name. */
  authorization: maybeText,
};

/** Where to send what becomes of a record. */
export interface Webhook extends codec.ValuesOf<typeof webhookFields> {}

export const maybeWebhook = codec.orNull<Webhook>(codec.record(webhookFields));

/** What records refer to in a document. */
export interface Links {
  /** A record, by its identifier; a document has its place in the list of its table. */
  readonly to: (table: string) => codec.Codec<string>;
  /** The name of an outcome: the table of outcomes is above the records. */
  readonly outcome: codec.Codec<string>;
}

/** A record whose fields are described by a function: its own two, and those. */
export type RecordOf<D extends (links: never) => codec.Fields> = codec.ValuesOf<ReturnType<D>> & {
  readonly id: string;
  /** How many records of its kind were made before it. */
  readonly index: number;
};
