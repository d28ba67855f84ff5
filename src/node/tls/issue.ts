import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';

import { parseIpv6Groups } from '../machine/addresses.js';
import * as der from './der.js';

export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

interface Validity {
  readonly from: Date;
  readonly to: Date;
}

/** Elliptic keys are generated in a millisecond, and every TLS 1.2 client supports this curve. */
const CURVE = 'P-256';
/** ecdsa-with-SHA256. */
const SIGNATURE = der.sequence(der.identifier('1.2.840.10045.4.3.2'));
/** The third version, which has extensions. */
const VERSION = der.tagged(0, der.integer(2));
const SERIAL_BYTES = 16;
const IDENTIFIER_BYTES = 20;

/** Extensions and their values, by their names in RFC 5280, 4.2.1. */
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const AUTHORITY_KEY_IDENTIFIER = '2.5.29.35';
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const COMMON_NAME = '2.5.4.3';
const AUTHORITY_NAME = encodeName('playmoney local authority');
const SERVER_NAME = encodeName('playmoney');
/** Bits from the left: keyCertSign and cRLSign, and digitalSignature. */
const SIGNS_CERTIFICATES = der.bits(Buffer.of(0b0000_0110), 1);
const SIGNS_HANDSHAKES = der.bits(Buffer.of(0b1000_0000), 7);
/** The kinds of alternative names. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** Creates an authority that can sign only server certificates. */
export function issueAuthority(validity: Validity): Issued {
  const keys = generateKeyPairSync('ec', { namedCurve: CURVE });
  return certify(keys, validity, {
    issuer: AUTHORITY_NAME,
    issuerKey: keys.privateKey,
    subject: AUTHORITY_NAME,
    extensions: [
      buildCriticalExtension(BASIC_CONSTRAINTS, der.sequence(der.boolean(true), der.integer(0))),
      buildCriticalExtension(KEY_USAGE, SIGNS_CERTIFICATES),
    ],
  });
}

/** Creates a server certificate for all the names. */
export function issueServer(authority: Issued, names: readonly string[], validity: Validity): Issued {
  return certify(generateKeyPairSync('ec', { namedCurve: CURVE }), validity, {
    issuer: readSubject(authority.certificate),
    issuerKey: createPrivateKey(authority.key),
    subject: SERVER_NAME,
    extensions: [
      buildCriticalExtension(BASIC_CONSTRAINTS, der.sequence()),
      buildCriticalExtension(KEY_USAGE, SIGNS_HANDSHAKES),
      buildExtension(EXTENDED_KEY_USAGE, der.sequence(der.identifier(SERVER_AUTHENTICATION))),
      buildExtension(SUBJECT_ALTERNATIVE_NAME, der.sequence(...names.map(encodeAlternativeName))),
    ],
  });
}

interface CertificateParts {
  readonly issuer: Buffer;
  readonly issuerKey: KeyObject;
  readonly subject: Buffer;
  readonly extensions: readonly Buffer[];
}

/** A certificate according to RFC 5280, 4.1. Strict clients require the identifiers of both keys. */
function certify(
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  { from, to }: Validity,
  { issuer, issuerKey, subject, extensions }: CertificateParts,
): Issued {
  const issuerId = der.taggedBytes(0, hashKey(createPublicKey(issuerKey)));
  const signed = der.sequence(
    VERSION,
    createSerialNumber(),
    SIGNATURE,
    issuer,
    der.sequence(der.time(from), der.time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(
      3,
      der.sequence(
        ...extensions,
        buildExtension(SUBJECT_KEY_IDENTIFIER, der.octets(hashKey(publicKey))),
        buildExtension(AUTHORITY_KEY_IDENTIFIER, der.sequence(issuerId)),
      ),
    ),
  );
  const signature = der.bits(sign('sha256', signed, issuerKey));
  const certificate = new X509Certificate(der.sequence(signed, SIGNATURE, signature));
  return { certificate: certificate.toString(), key: formatPem(privateKey) };
}

function buildExtension(identifier: string, value: Buffer): Buffer {
  return der.sequence(der.identifier(identifier), der.octets(value));
}

function buildCriticalExtension(identifier: string, value: Buffer): Buffer {
  return der.sequence(der.identifier(identifier), der.boolean(true), der.octets(value));
}

function encodeName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.identifier(COMMON_NAME), der.utf8(commonName))));
}

/** The subject of a certificate, byte for byte, since clients compare its bytes to find the issuer. */
function readSubject(certificate: string): Buffer {
  const { raw } = new X509Certificate(certificate);
  const [signed = raw] = der.listParts(raw);
  // The subject comes after version, serial number, signature, issuer and validity.
  return der.listParts(signed)[5] ?? AUTHORITY_NAME;
}

/** Random, as RFC 5280 requires: two authorities with the same name must not use the same number. */
function createSerialNumber(): Buffer {
  const [first = 0, ...others] = randomBytes(SERIAL_BYTES);
  return der.integer((first & 0x3f) | 0x40, ...others);
}

function hashKey(key: KeyObject): Buffer {
  const bytes = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(bytes).digest().subarray(0, IDENTIFIER_BYTES);
}

function encodeAlternativeName(name: string): Buffer {
  return isIP(name) === 0
    ? der.taggedBytes(DNS_NAME, Buffer.from(name))
    : der.taggedBytes(IP_ADDRESS, addressBytes(name));
}

/** The 4 or 16 bytes of an address. */
function addressBytes(address: string): Buffer {
  const isV4 = isIP(address) === 4;
  return Buffer.from(
    isV4
      ? address.split('.').map(Number)
      : parseIpv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]),
  );
}

export function formatPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
