import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { count } from '../../core/text.js';
import { AUTHORITY_FILE } from '../tls/certificates.js';
import { chooseScenario } from '../cli/check.js';
import type { Finding } from './model.js';
import { folderLibrary } from '../cli/library.js';
import type { StartOptions } from '../cli/option-table.js';
import type { Environment } from '../cli/option-values.js';
import type { DoctorOptions } from '../cli/options.js';
import { isFileFault, openState } from '../state/state-file.js';
import { defaultTlsFolder } from '../tls/tls-folder.js';

const DAY_MS = 86_400_000;
const TRUST = 'NODE_EXTRA_CA_CERTS';

/** Whether programs on Node that are started here trust a server over https. */
export async function trustFindings(
  { url }: DoctorOptions,
  { https, tlsDir }: StartOptions,
  env: Environment,
): Promise<Finding[]> {
  const file = env[TRUST];
  const trusted = file ? await certificatesIn(file) : [];
  const findings: Finding[] = [];
  if (file && trusted.length === 0) {
    const message = `${file} cannot be read, or holds no certificate (PEM); Node goes on without it`;
    findings.push({ name: TRUST, status: 'attention', message });
  } else if (file) {
    findings.push({
      name: TRUST,
      status: 'ok',
      message: `${file} holds ${count(trusted.length, 'certificate')}`,
    });
  }
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
    const message = `there is no authority in ${file} yet; the first start with --https makes it`;
    return { name, status: 'note', message };
  }
  const daysLeft = Math.floor((Date.parse(authority.validTo) - Date.now()) / DAY_MS);
  if (daysLeft < 0) {
    return {
      name,
      status: 'attention',
      message: `${file} has expired; the next start with --https makes another`,
    };
  }
  if (trusted.some(({ fingerprint256 }) => fingerprint256 === authority.fingerprint256)) {
    return {
      name,
      status: 'ok',
      message: `${file} is trusted (${TRUST}), for ${count(daysLeft, 'day')} more`,
    };
  }
  return {
    name,
    status: 'attention',
    message: `${file} is not trusted by programs on Node; set ${TRUST}=${file}`,
  };
}

/** The certificates of a file; none where it cannot be read. */
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

/** Whether what a start would read can be read. */
export async function fileFindings({ scenario, state }: StartOptions): Promise<Finding[]> {
  return [
    ...(scenario === null ? [] : [await scenarioFinding(scenario)]),
    ...(state === null ? [] : [await stateFinding(state)]),
  ];
}

async function scenarioFinding(given: string): Promise<Finding> {
  const chosen = await chooseScenario(given, folderLibrary());
  if (typeof chosen !== 'string')
    return { name: 'scenario', status: 'ok', message: `${given} can be played` };
  const [first = '', ...more] = chosen.trimEnd().split('\n');
  const message = first.replace(/^playmoney: /, '') + (more.length > 0 ? ` (and ${more.length} more)` : '');
  return { name: 'scenario', status: 'attention', message };
}

async function stateFinding(file: string): Promise<Finding> {
  try {
    const { note } = await openState(file);
    return { name: 'state', status: 'ok', message: note.trimEnd() };
  } catch (error) {
    if (!isFileFault(error)) throw error;
    return { name: 'state', status: 'attention', message: error.message };
  }
}
