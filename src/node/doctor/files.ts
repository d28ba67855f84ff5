import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { DAY_MS } from '../../core/time/time.js';
import { formatCount } from '../../core/text/text.js';
import { AUTHORITY_FILE, defaultTlsFolder } from '../tls/certificates.js';
import { chooseScenario } from '../cli/choose-scenario.js';
import { attention, type DoctorFinding, note, ok } from './finding.js';
import { folderLibrary } from '../library.js';
import type { DoctorOptions, StartOptions } from '../options/option-table.js';
import type { EnvVariables } from '../options/option.js';
import { checkState } from '../state/kept-worlds.js';
import { requireCommandMessage } from '../terminal/terminal.js';

const TRUST = 'NODE_EXTRA_CA_CERTS';

/** Checks whether programs on Node in this environment trust a server over https. */
export async function checkTrust(
  { url }: DoctorOptions,
  { https, tlsDir }: StartOptions,
  env: EnvVariables,
): Promise<DoctorFinding[]> {
  const file = env[TRUST];
  const trusted = file ? await readCertificates(file) : [];
  const findings: DoctorFinding[] = [];
  if (file && trusted.length === 0) {
    findings.push(attention(TRUST, `${file} cannot be read or has no certificate (PEM); Node ignores it`));
  } else if (file) findings.push(ok(TRUST, `${file} has ${formatCount(trusted.length, 'certificate')}`));
  if (!https && url?.startsWith('https:') !== true) return findings;
  return [
    ...findings,
    await checkAuthority(join(resolve(tlsDir ?? defaultTlsFolder()), AUTHORITY_FILE), trusted),
  ];
}

async function checkAuthority(file: string, trusted: readonly X509Certificate[]): Promise<DoctorFinding> {
  const name = 'certificates';
  const [authority] = await readCertificates(file);
  if (authority === undefined) {
    return note(name, `${file} does not exist yet; the first start with --https creates it`);
  }
  const daysLeft = Math.floor((Date.parse(authority.validTo) - Date.now()) / DAY_MS);
  if (daysLeft < 0) return attention(name, `${file} has expired; the next start with --https replaces it`);
  if (trusted.some(({ fingerprint256 }) => fingerprint256 === authority.fingerprint256)) {
    return ok(name, `${file} is trusted (${TRUST}) and valid for ${formatCount(daysLeft, 'more day')}`);
  }
  return attention(name, `programs on Node do not trust ${file}; set ${TRUST}=${file}`);
}

/** The certificates in a file; none if it cannot be read. */
async function readCertificates(file: string): Promise<X509Certificate[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** Checks the files that a start would read. */
export async function checkStartFiles({ scenario, state }: StartOptions): Promise<DoctorFinding[]> {
  return [
    ...(scenario === null ? [] : [await checkScenarioOption(scenario)]),
    ...(state === null ? [] : [await checkStateOption(state)]),
  ];
}

async function checkScenarioOption(given: string): Promise<DoctorFinding> {
  const chosen = await chooseScenario(given, folderLibrary());
  if ('scenario' in chosen) return ok('scenario', `${given} is valid`);
  const [first = '', ...more] = chosen;
  const message = first.replace(/^playmoney: /, '') + (more.length > 0 ? ` (and ${more.length} more)` : '');
  return attention('scenario', message);
}

async function checkStateOption(file: string): Promise<DoctorFinding> {
  try {
    return ok('state', await checkState(file));
  } catch (error) {
    return attention('state', requireCommandMessage(error));
  }
}
