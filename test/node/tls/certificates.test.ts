import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type Certificates,
  defaultTlsFolder,
  obtainCertificates,
} from '../../../src/node/tls/certificates.js';
import { folder } from '../../support/folder.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

let dir = '';

beforeEach(() => {
  dir = folder();
});
afterEach(() => vi.unstubAllEnvs());

function obtain(names: readonly string[] = [], now = NOW): Promise<Certificates> {
  return obtainCertificates({ dir, names, now });
}

function read(name: string): string {
  return readFileSync(join(dir, name), 'utf8');
}

function write(name: string, text: string): void {
  writeFileSync(join(dir, name), text);
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a new folder', () => {
  test('gets an authority, and a certificate that it signed for the names of this machine and those given', async () => {
    const { certificate, key, authority } = await obtain([
      '127.0.0.1',
      'Pay.test',
      '2001:DB8::0:7',
      'my_shop',
    ]);
    const [server, ca] = [new X509Certificate(certificate), new X509Certificate(authority.certificate)];
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect([server.ca, ca.ca]).toEqual([false, true]);
    expect(server.subjectAltName?.split(', ')).toHaveLength(6);
    for (const name of ['localhost', 'pay.test', 'my_shop']) expect(server.checkHost(name)).toBeDefined();
    for (const address of ['127.0.0.1', '::1', '2001:db8::7']) expect(server.checkIP(address)).toBeDefined();
    expect(server.checkHost('example.com')).toBeUndefined();
    // Server authentication, and nothing else.
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  test.each(['0.0.0.0', '::'])('the address %s, which nobody calls, is no name', async (address) => {
    const { certificate } = await obtain([address]);
    expect(new X509Certificate(certificate).subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
  });

  test('a link-local address is named without its network card', async () => {
    const { certificate } = await obtain(['fe80::1%eth0']);
    expect(new X509Certificate(certificate).checkIP('fe80::1')).toBeDefined();
  });

  test.skipIf(process.platform === 'win32')('keeps private keys for their owner alone', async () => {
    await obtain();
    const modes = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({ 'ca.pem': 0o644, 'ca-key.pem': 0o600, 'server.pem': 0o600 });
    expect(read('ca.pem')).not.toContain('PRIVATE');
  });

  test.skipIf(!hasOpenssl())(
    'its certificates pass the strictest check of OpenSSL, as of Python',
    async () => {
      await obtain([], Date.now());
      const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost'];
      const said = execFileSync('openssl', [
        ...args,
        '-CAfile',
        join(dir, 'ca.pem'),
        join(dir, 'server.pem'),
      ]);
      expect(said.toString()).toMatch(/: OK\n$/);
    },
  );

  test('two that start at once agree on the authority', async () => {
    const [one, two, three] = await Promise.all([obtain(), obtain(['pay.test']), obtain()]);
    expect(new Set([one, two, three].map(({ authority }) => authority.certificate)).size).toBe(1);
    expect(read('ca.pem')).toBe(one.authority.certificate);
    expect(readdirSync(dir).sort()).toEqual(['ca-key.pem', 'ca.pem', 'server.pem']);
  });

  test('is made where it is missing', async () => {
    dir = join(dir, 'a', 'b');
    expect((await obtain()).authority.file).toBe(join(dir, 'ca.pem'));
  });
});

describe('a folder that was used before', () => {
  test('gives the same certificate again, also for fewer names', async () => {
    const first = await obtain(['pay.test']);
    expect(await obtain(['pay.test'], NOW + 300 * DAY_MS)).toEqual(first);
    expect(await obtain()).toEqual(first);
  });

  test('another name: a new certificate with the old names too, and the same authority', async () => {
    const first = await obtain(['one.test', '10.0.0.1']);
    const second = await obtain(['two.test']);
    expect(second.authority).toEqual(first.authority);
    const server = new X509Certificate(second.certificate);
    for (const name of ['one.test', 'two.test']) expect(server.checkHost(name)).toBeDefined();
    expect(server.checkIP('10.0.0.1')).toBeDefined();
    expect(await obtain(['one.test'])).toEqual(second);
  });

  test('names of earlier starts do not pile up without end', async () => {
    await obtain(Array.from({ length: 150 }, (_, i) => `shop-${i}.test`));
    const { certificate } = await obtain(['last.test']);
    const server = new X509Certificate(certificate);
    expect(server.subjectAltName?.split(', ')).toHaveLength(100);
    expect(server.checkHost('last.test')).toBeDefined();
  });

  test.each([
    ['about to expire', 368],
    ['of the future', -2],
  ])('a certificate that is %s is replaced', async (_, days) => {
    const first = await obtain();
    const second = await obtain([], NOW + days * DAY_MS);
    expect(second.certificate).not.toBe(first.certificate);
  });

  test('until its certificate is about to expire, it is kept; the authority stays for ten years', async () => {
    const first = await obtain();
    expect(await obtain([], NOW + 366 * DAY_MS)).toEqual(first);
    const later = await obtain([], NOW + 3600 * DAY_MS);
    expect(later.authority).toEqual(first.authority);
    const last = await obtain([], NOW + 3630 * DAY_MS);
    expect(last.authority.certificate).not.toBe(first.authority.certificate);
    expect(read('ca.pem')).toBe(last.authority.certificate);
    const server = new X509Certificate(last.certificate);
    expect(server.verify(new X509Certificate(last.authority.certificate).publicKey)).toBe(true);
  });

  test.each([
    ['is missing', null],
    ['is empty', ''],
    ['holds nonsense', 'nonsense'],
    ['was cut off', '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqG'],
  ])('where server.pem %s, it is made anew under the same authority', async (_, text) => {
    const first = await obtain();
    if (text === null) rmSync(join(dir, 'server.pem'));
    else write('server.pem', text);
    const second = await obtain();
    expect(second.authority).toEqual(first.authority);
    expect(second.certificate).not.toBe(first.certificate);
    expect(read('server.pem')).toBe(second.key + second.certificate);
  });

  test('a key that belongs to another certificate is not used', async () => {
    const first = await obtain();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    write('server.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }) + first.certificate);
    expect((await obtain()).certificate).not.toBe(first.certificate);
  });

  test('ca.pem is written again if it is missing or does not belong to the authority', async () => {
    const first = await obtain();
    for (const text of ['', 'nonsense', first.certificate]) {
      write('ca.pem', text);
      expect((await obtain()).authority).toEqual(first.authority);
      expect(read('ca.pem')).toBe(first.authority.certificate);
    }
    rmSync(join(dir, 'ca.pem'));
    expect((await obtain()).authority).toEqual(first.authority);
  });

  test('who deletes the key of the authority keeps the certificate while it serves', async () => {
    const first = await obtain();
    rmSync(join(dir, 'ca-key.pem'));
    expect(await obtain()).toEqual(first);
    await expect(obtain(['pay.test'])).rejects.toThrow(
      `${join(dir, 'ca.pem')} cannot sign a new certificate without ca-key.pem. Delete it to create a new authority`,
    );
    expect(read('ca.pem')).toBe(first.authority.certificate);
  });
});

describe('a folder that cannot be used is refused, and nothing in it changes', () => {
  const rsa = (): string =>
    generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();

  test.each<[string, (own: Certificates) => string, string]>([
    ['nonsense', () => 'nonsense', 'does not contain a certificate and its private key'],
    ['a key alone', rsa, 'does not contain a certificate and its private key'],
    [
      'the key of another',
      (own) => rsa() + own.authority.certificate,
      'does not contain a certificate and its',
    ],
    ['no authority', (own) => own.key + own.certificate, 'is not an authority that playmoney created'],
  ])('ca-key.pem with %s', async (_, textOf, reason) => {
    const text = textOf(await obtain());
    write('ca-key.pem', text);
    rmSync(join(dir, 'server.pem'));
    await expect(obtain()).rejects.toMatchObject({
      name: 'TlsFolderError',
      message: expect.stringContaining(`${join(dir, 'ca-key.pem')} ${reason}`),
    });
    expect(read('ca-key.pem')).toBe(text);
    expect(existsSync(join(dir, 'server.pem'))).toBe(false);
  });

  test('a file where a folder should be', async () => {
    write('file', '');
    dir = join(dir, 'file');
    await expect(obtain()).rejects.toMatchObject({
      name: 'TlsFolderError',
      message: expect.stringMatching(/^cannot read .*: a part of its path is a file\. .*--tls-dir$/),
    });
  });

  test.skipIf(process.platform !== 'linux')('a folder in /proc, where nothing can be created', async () => {
    dir = '/proc/playmoney';
    await expect(obtain()).rejects.toMatchObject({
      name: 'TlsFolderError',
      message: expect.stringMatching(/^cannot write \/proc\/playmoney\/.*--tls-dir$/),
    });
  });

  // Root may write everywhere.
  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a folder that takes no files',
    async () => {
      chmodSync(dir, 0o500);
      await expect(obtain()).rejects.toMatchObject({
        name: 'TlsFolderError',
        message: expect.stringMatching(/^cannot write .*: this user may not; .*--tls-dir$/),
      });
    },
  );
});

test.runIf(process.platform === 'linux')('the default folder is where the user keeps data', () => {
  vi.stubEnv('HOME', '/home/mia');
  vi.stubEnv('XDG_DATA_HOME', '/data');
  expect(defaultTlsFolder()).toBe('/data/playmoney/tls');
  for (const none of ['', 'relative/path']) {
    vi.stubEnv('XDG_DATA_HOME', none);
    expect(defaultTlsFolder()).toBe('/home/mia/.local/share/playmoney/tls');
  }
});
