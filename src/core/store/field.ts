import { decodeBase64, encodeBase64 } from '../text/base64.js';
import * as codec from './codec.js';
import { CURRENCY_CODE, currencyExponent } from '../money.js';
import { isUuid } from '../text/text.js';

export * from './codec.js';

/** Longer than any text of a call, so that every document that was written can be read. */
export const LONG = 65_536;
export const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** The last instant of a JavaScript date, in milliseconds since 1970. A job may be due after the end of the clock. */
const INSTANT_MAX = 8_640_000_000_000_000;
const INDEX_MAX = 0xffff_ffff;
/** Our own limit. */
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
export const callersMap = codec.textMap(METADATA_KEYS_MAX, LONG);
export const metadata = codec.orNull(callersMap);

export const anyProviderId = codec.text(36, isUuid, 'a ProviderId');
export const currency = codec.text(3, (value) => currencyExponent(value) !== undefined, CURRENCY_CODE);
export const hexId = codec.text(
  32,
  (value) => /^[\da-f]{32}$/.test(value),
  '32 lower-case hexadecimal digits',
);

export const bytes: codec.Codec<Uint8Array> = {
  read: (value) =>
    (typeof value === 'string' ? decodeBase64(value) : undefined) ?? codec.invalid('must be a Base64 string'),
  write: encodeBase64,
};

/** Base64 needs no escapes, so a long text stays short. */
export const utf8: codec.Codec<string> = {
  read: (value) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.read(value)),
  write: (value) => bytes.write(new TextEncoder().encode(value)),
};

export const webhookFields = {
  url: codec.text(LONG, (value) => URL.canParse(value), 'a URL'),
  /** Sent unchanged as the header of that name. */
  authorization: maybeText,
};

export interface Webhook extends codec.ValuesOf<typeof webhookFields> {}

export const maybeWebhook = codec.orNull<Webhook>(codec.record(webhookFields));

/** Codecs for what records refer to in a document. */
export interface Links {
  /** The identifier of a record, which a document writes as its position in the list of its table. */
  readonly to: (table: string) => codec.Codec<string>;
  /** The name of an outcome. It is a parameter, because records must not import the table of outcomes. */
  readonly outcome: codec.Codec<string>;
}

/** The type of a record, from the function that describes its fields. */
export type RecordOf<D extends (links: never) => codec.FieldCodecs> = codec.ValuesOf<ReturnType<D>> & {
  readonly id: string;
  readonly index: number;
};
