import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { count } from '../../core/text/text.js';
import { AUTHORITY_FILE, defaultTlsFolder } from '../tls/certificates.js';
import { chooseScenario } from '../cli/choose-scenario.js';
import { attention, type Finding, note, ok } from './finding.js';
import { folderLibrary } from '../library.js';
import type { DoctorOptions, StartOptions } from '../options/option-table.js';
import type { Environment } from '../options/option.js';
import { checkState } from '../state/kept-worlds.js';
import { messageOf } from '../terminal/terminal.js';

const DAY_MS = 86_400_000;
const TRUST = 'NODE_EXTRA_CA_CERTS';

/** Checks whether programs on Node in this environment trust a server over https. */
export async function trustFindings(
  { url }: DoctorOptions,
  { https, tlsDir }: StartOptions,
  env: Environment,
): Promise<Finding[]> {
  const file = env[TRUST];
  const trusted = file ? await certificatesIn(file) : [];
  const findings: Finding[] = [];
  if (file && trusted.length === 0) {
    findings.push(attention(TRUST, `${file} cannot be read or has no certificate (PEM); Node ignores it`));
  } else if (file) findings.push(ok(TRUST, `${file} has ${count(trusted.length, 'certificate')}`));
  if (!https && url?.startsWith('https:') !== true) return findings;
  return [
    ...findings,
    await authorityFinding(join(resolve(tlsDir ?? defaultTlsFolder()), AUTHORITY_FILE), trusted),
  ];
}

async function authorityFinding(file: string, trusted: readonly X509Certificate[]): Promise<Finding> {
  const name = 'certificates';
  const [authority] = await certificatesIn(file);
  if (authority === undefined) {
    return note(name, `${file} does not exist yet; the first start with --https creates it`);
  }
  const daysLeft = Math.floor((Date.parse(authority.validTo) - Date.now()) / DAY_MS);
  if (daysLeft < 0) return attention(name, `${file} has expired; the next start with --https replaces it`);
  if (trusted.some(({ fingerprint256 }) => fingerprint256 === authority.fingerprint256)) {
    return ok(name, `${file} is trusted (${TRUST}) and valid for ${count(daysLeft, 'more day')}`);
  }
  return attention(name, `programs on Node do not trust ${file}; set ${TRUST}=${file}`);
}

/** The certificates in a file; none if it cannot be read. */
async function certificatesIn(file: string): Promise<X509Certificate[]> {
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
export async function fileFindings({ scenario, state }: StartOptions): Promise<Finding[]> {
  return [
    ...(scenario === null ? [] : [await scenarioFinding(scenario)]),
    ...(state === null ? [] : [await stateFinding(state)]),
  ];
}

async function scenarioFinding(given: string): Promise<Finding> {
  const chosen = await chooseScenario(given, folderLibrary());
  if ('scenario' in chosen) return ok('scenario', `${given} is valid`);
  const [first = '', ...more] = chosen;
  const message = first.replace(/^playmoney: /, '') + (more.length > 0 ? ` (and ${more.length} more)` : '');
  return attention('scenario', message);
}

async function stateFinding(file: string): Promise<Finding> {
  try {
    return ok('state', await checkState(file));
  } catch (error) {
    return attention('state', messageOf(error));
  }
}
