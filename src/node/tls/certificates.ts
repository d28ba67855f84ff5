import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';

import { type CertificateAuthority, TlsFolderError } from '../http/listener.js';
import { issueAuthority, type Issued, issueServer, formatPem } from './issue.js';
import { isWildcard } from '../machine/lan.js';
import { codeOf, explainFileError } from '../files/file-error.js';
import { createFolder, type WriteOptions, writeWhole } from '../files/whole-file.js';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];
/** How many names of earlier starts a certificate keeps. */
const NAMES_MAX = 100;

const AUTHORITY_DAYS = 3650;
/** Some clients refuse server certificates that are valid for longer than about 13 months. */
const SERVER_DAYS = 397;
/** A certificate is replaced this long before it expires, because a server may run for some time. */
const RENEWAL_DAYS = 30;
/** Clocks of containers and machines differ. */
const SKEW_DAYS = 1;
/** Of its own: the clock of worlds would be one file more that each start loads. */
const DAY_MS = 86_400_000;
const EVERYBODY_READS = 0o644;

/** The certificate that clients trust. Only the server reads the other files of the folder. */
export const AUTHORITY_FILE = 'ca.pem';
const AUTHORITY_KEY_FILE = 'ca-key.pem';
const SERVER_FILE = 'server.pem';

export interface CertificateOptions {
  readonly dir: string;
  /** Names for the certificate in addition to localhost and its addresses. */
  readonly names: readonly string[];
  /** In milliseconds since 1970. */
  readonly now?: number;
}

export interface Certificates extends Issued {
  readonly authority: CertificateAuthority;
}

interface StoredPair extends Issued {
  readonly parsed: X509Certificate;
}

/**
 * Reads the certificate of the server from a folder, or creates it there. Clients that trust the authority keep trusting
 * it while it is valid, whatever the names. Rejects with a TlsFolderError.
 */
export async function obtainCertificates(options: CertificateOptions): Promise<Certificates> {
  const { now = Date.now() } = options;
  const dir = resolve(options.dir);
  const names = [...new Set([...LOCAL_NAMES, ...options.names.map(normaliseName)])].filter(
    (name) => !isWildcard(name),
  );
  const [file, serverFile] = [join(dir, AUTHORITY_FILE), join(dir, SERVER_FILE)];
  const server = readStoredPair(await readIfPresent(serverFile));
  const trusted = await readIfPresent(file);
  if (
    server &&
    trusted !== null &&
    isUsableCertificate(server.parsed, readCertificate(trusted), names, now)
  ) {
    const { certificate, key } = server;
    return { certificate, key, authority: { file, certificate: trusted } };
  }
  const authority = await obtainAuthority(dir, trusted, now);
  if (authority.certificate !== trusted) {
    await writeFolderFile(file, authority.certificate, { mode: EVERYBODY_READS });
  }
  // Includes the old names, so that two servers with different names do not replace each other's certificate.
  const all = [...new Set([...names, ...oldNames(server)])].slice(0, Math.max(NAMES_MAX, names.length));
  const made = issueServer(authority, all, buildValidity(SERVER_DAYS, now));
  await writeFolderFile(serverFile, made.key + made.certificate);
  return { ...made, authority: { file, certificate: authority.certificate } };
}

/** Reads the authority of a folder; creates a new one if there is none or it expires. */
async function obtainAuthority(dir: string, trusted: string | null, now: number): Promise<Issued> {
  const file = join(dir, AUTHORITY_KEY_FILE);
  const stored = await readIfPresent(file);
  if (stored !== null) {
    const authority = readStoredPair(stored);
    if (authority === null) return refuseFile(file, 'does not contain a certificate and its private key');
    if (!authority.parsed.ca || createPrivateKey(authority.key).asymmetricKeyType !== 'ec') {
      refuseFile(file, 'is not an authority that playmoney created');
    }
    if (isValidCertificate(authority.parsed, now)) return authority;
  } else if (trusted !== null) {
    refuseFile(join(dir, AUTHORITY_FILE), `cannot sign a new certificate without ${AUTHORITY_KEY_FILE}`);
  }
  const made = issueAuthority(buildValidity(AUTHORITY_DAYS, now));
  await writeFolderFile(file, made.key + made.certificate, { isNew: stored === null });
  // If two servers start at the same instant, both use the authority of the first.
  return readStoredPair(await readIfPresent(file)) ?? made;
}

function refuseFile(file: string, why: string): never {
  const detail = `${file} ${why}. Delete it to create a new authority, or choose another folder with --tls-dir`;
  throw new TlsFolderError(detail);
}

function buildValidity(days: number, now: number): { from: Date; to: Date } {
  return { from: new Date(now - SKEW_DAYS * DAY_MS), to: new Date(now + days * DAY_MS) };
}

/** Null if the PEM text does not contain a certificate and its key. */
function readStoredPair(text: string | null): StoredPair | null {
  const parsed = readCertificate(text ?? '');
  if (parsed === null || text === null) return null;
  try {
    const key = createPrivateKey(text);
    return parsed.checkPrivateKey(key)
      ? { certificate: parsed.toString(), key: formatPem(key), parsed }
      : null;
  } catch {
    return null;
  }
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}

function isUsableCertificate(
  server: X509Certificate,
  authority: X509Certificate | null,
  names: readonly string[],
  now: number,
): boolean {
  return (
    authority !== null &&
    server.verify(authority.publicKey) &&
    isValidCertificate(server, now) &&
    isValidCertificate(authority, now) &&
    names.every((name) => hasName(server, name))
  );
}

function isValidCertificate({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now + RENEWAL_DAYS * DAY_MS < Date.parse(validTo);
}

function hasName(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function oldNames(server: StoredPair | null): string[] {
  const text = server?.parsed.subjectAltName ?? '';
  return [...text.matchAll(/(?:DNS|IP Address):([^\s,"]+)/g)].map(([, name = '']) => normaliseName(name));
}

/** Normalises a name: lower case, an address in its shortest form and without its network interface. */
function normaliseName(name: string): string {
  const plain = name.toLowerCase().replace(/%.*$/, '');
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain;
}

/** The folder for a user's certificates, the same for every project, so that clients need to trust only one authority. */
export function defaultTlsFolder(): string {
  return join(findDataFolder(), 'playmoney', 'tls');
}

function findDataFolder(): string {
  const { XDG_DATA_HOME = '', LOCALAPPDATA = '' } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(findHome(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(findHome(), 'Library', 'Application Support');
  // The specification of the variable allows no relative path.
  return isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(findHome(), '.local', 'share');
}

function findHome(): string {
  try {
    return homedir();
  } catch {
    throw new TlsFolderError('cannot find a home directory for certificates. Choose a folder with --tls-dir');
  }
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw buildFolderError('read', file, error);
  }
}

/** Writes a file that only its owner can read, unless `options` has another mode. */
async function writeFolderFile(file: string, text: string, options?: WriteOptions): Promise<void> {
  try {
    createFolder(dirname(file));
    await writeWhole(file, (write) => write(text), options);
  } catch (error) {
    throw buildFolderError('write', file, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};

function buildFolderError(action: 'read' | 'write', file: string, error: unknown): TlsFolderError {
  const reason = explainFileError(error, REASONS);
  return new TlsFolderError(
    `cannot ${action} ${file}: ${reason}. Choose another folder for certificates with --tls-dir`,
  );
}
