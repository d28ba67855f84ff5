import { X509Certificate } from 'node:crypto';
import type { networkInterfaces } from 'node:os';
import { connect } from 'node:tls';

import { expect, test } from 'vitest';

import { isWildcard, lanAddresses } from '../../../src/node/machine/lan.js';
import { serveHttp } from '../../../src/node/http/serve.js';
import { testSandbox } from '../../support/sandbox.js';
import { folder } from '../../support/folder.js';

const MACHINE = {
  lo: [{ address: '127.0.0.1', internal: true }],
  en0: [
    { address: 'fe80::1', internal: false },
    { address: '192.168.1.5', internal: false },
    { address: 'fd00::5', internal: false },
  ],
  off: undefined,
} as unknown as ReturnType<typeof networkInterfaces>;

test('Other machines reach this one by the addresses of its interfaces, loopback and single links left out.', () => {
  expect(lanAddresses(MACHINE)).toEqual(['192.168.1.5', 'fd00::5']);
});

test.each([
  ['0.0.0.0', true],
  ['::', true],
  ['127.0.0.1', false],
  ['localhost', false],
])('%s stands for all addresses: %s', (host, expected) => {
  expect(isWildcard(host)).toBe(expected);
});

async function certificateOf(host: string): Promise<X509Certificate> {
  const listening = await serveHttp(testSandbox(), { port: 0, host, https: { dir: folder() } });
  const raw = await new Promise<Buffer>((resolve) => {
    const socket = connect(listening.port, '127.0.0.1', { rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().raw);
      socket.destroy();
    });
  });
  await listening.close(0);
  return new X509Certificate(raw);
}

test('Where a server listens on all addresses, its certificate names them.', async () => {
  const certificate = await certificateOf('0.0.0.0');
  for (const address of ['127.0.0.1', '::1', ...lanAddresses()]) {
    expect(certificate.checkIP(address)).toBe(address);
  }
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.subjectAltName).not.toContain('0.0.0.0');
});

test('Where it listens on one address, its certificate names no other.', async () => {
  const certificate = await certificateOf('127.0.0.1');
  for (const address of lanAddresses()) expect(certificate.checkIP(address)).toBeUndefined();
});
