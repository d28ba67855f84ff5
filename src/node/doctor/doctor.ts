import { VERSION } from '../../core/version.js';
import type { EnvVariables } from '../options/option.js';
import type { DoctorOptions } from '../options/option-table.js';
import { EXIT_FAILED, type VerbResult } from '../terminal/terminal.js';
import { checkEnvironment, readStartSettings } from './environment.js';
import { checkStartFiles, checkTrust } from './files.js';
import { attention, type DoctorFinding, formatFindingsJson, ok, printFindings } from './finding.js';
import { checkServer } from './server.js';

const NODE_LEAST: readonly [major: number, minor: number] = [20, 19];

export async function runDoctor(options: DoctorOptions, env: EnvVariables): Promise<Required<VerbResult>> {
  const { settings, findings } = readStartSettings(options, env);
  const all: DoctorFinding[] = [
    ...checkProgram(process.versions.node),
    ...findings,
    ...checkEnvironment(env),
    ...(await checkServer(options, settings)),
    ...(await checkTrust(options, settings, env)),
    ...(await checkStartFiles(settings)),
  ];
  const wrong = all.filter(({ status }) => status === 'attention').length;
  return {
    text: options.json ? formatFindingsJson(all, wrong) : printFindings(all, wrong),
    exitCode: wrong === 0 ? 0 : EXIT_FAILED,
  };
}

export function checkProgram(node: string): DoctorFinding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  const old = `${node} is too old; playmoney needs ${NODE_LEAST.join('.')} or later`;
  return [ok('playmoney', VERSION), isOld ? attention('node', old) : ok('node', node)];
}
