import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';

/**
 * Adds the key identifiers to a certificate. selfsigned writes none, and strict clients (Python from 3.13 on)
 * refuse a certificate without. Only what X.509 has in these places is understood of DER.
 */

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const KEY_IDENTIFIER = 0x80;
const EXTENSIONS = 0xa3;
/** The object identifiers 2.5.29.14 and 2.5.29.35. */
const SUBJECT_KEY_IDENTIFIER = Buffer.from('0603551d0e', 'hex');
const AUTHORITY_KEY_IDENTIFIER = Buffer.from('0603551d23', 'hex');
const IDENTIFIER_BYTES = 20;

/** The same certificate with the identifiers of both keys, signed anew by its issuer; in PEM. */
export function withKeyIdentifiers(certificate: string, issuerKey: KeyObject): string {
  const { raw, publicKey } = new X509Certificate(certificate);
  const [signed = raw, algorithm = raw] = partsOf(raw);
  const fields = partsOf(signed);
  const extensions = partsOf(contentOf(fields.at(-1) ?? raw));
  const identified = encode(
    SEQUENCE,
    ...fields.slice(0, -1),
    encode(
      EXTENSIONS,
      encode(
        SEQUENCE,
        ...extensions,
        extension(SUBJECT_KEY_IDENTIFIER, encode(OCTET_STRING, identify(publicKey))),
        extension(
          AUTHORITY_KEY_IDENTIFIER,
          encode(SEQUENCE, encode(KEY_IDENTIFIER, identify(createPublicKey(issuerKey)))),
        ),
      ),
    ),
  );
  const signature = encode(BIT_STRING, Buffer.of(0), sign('sha256', identified, issuerKey));
  return new X509Certificate(encode(SEQUENCE, identified, algorithm, signature)).toString();
}

function extension(identifier: Buffer, value: Buffer): Buffer {
  return encode(SEQUENCE, identifier, encode(OCTET_STRING, value));
}

function identify(key: KeyObject): Buffer {
  const bytes = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(bytes).digest().subarray(0, IDENTIFIER_BYTES);
}

function encode(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  // A certificate is shorter than 64 KiB.
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** The elements within an element, each with its tag and length. */
function partsOf(element: Buffer): Buffer[] {
  const content = contentOf(element);
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const part = content.subarray(at);
    const { head, length } = sizeOf(part);
    parts.push(part.subarray(0, head + length));
    at += head + length;
  }
  return parts;
}

function contentOf(element: Buffer): Buffer {
  const { head, length } = sizeOf(element);
  return element.subarray(head, head + length);
}

function sizeOf(element: Buffer): { head: number; length: number } {
  const first = element.readUInt8(1);
  if (first < 0x80) return { head: 2, length: first };
  const bytes = first & 0x7f;
  return { head: 2 + bytes, length: element.readUIntBE(2, bytes) };
}
