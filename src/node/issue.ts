import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';

import { generate } from 'selfsigned';

import { withKeyIdentifiers } from './key-identifiers.js';

/** A certificate and its private key, both in PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const AUTHORITY_NAME = [{ name: 'commonName', value: 'playmoney local authority' }];
const SERVER_NAME = [{ name: 'commonName', value: 'playmoney' }];
/** Elliptic keys are made in a millisecond; every TLS 1.2 client takes this curve. SHA-1, the default, is refused. */
const METHOD = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
/** What `generate` numbers the two kinds of names with. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** Makes an authority that signs certificates of servers alone. */
export async function issueAuthority({ from, to }: Validity): Promise<Issued> {
  const made = await generate(AUTHORITY_NAME, {
    ...METHOD,
    notBeforeDate: from,
    notAfterDate: to,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const certificate = withKeyIdentifiers(made.cert, createPrivateKey(made.private));
  return { certificate, key: made.private };
}

/** Makes the certificate of a server that is called by any of the names. */
export async function issueServer(
  authority: Issued,
  names: readonly string[],
  { from, to }: Validity,
): Promise<Issued> {
  const made = await generate(SERVER_NAME, {
    ...METHOD,
    notBeforeDate: from,
    notAfterDate: to,
    ca: { key: authority.key, cert: authority.certificate },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          isIP(name) === 0 ? { type: DNS_NAME, value: name } : { type: IP_ADDRESS, ip: name },
        ),
      },
    ],
  });
  const certificate = withKeyIdentifiers(made.cert, createPrivateKey(authority.key));
  return { certificate, key: made.private };
}
