import { VERSION } from '../../core/version.js';
import type { Environment } from '../options/option.js';
import type { DoctorOptions } from '../options/option-table.js';
import { EXIT_FAILED, type Result } from '../terminal/terminal.js';
import { environmentFindings, settingsOf } from './environment.js';
import { fileFindings, trustFindings } from './files.js';
import { attention, type Finding, jsonTextOf, ok, printFindings } from './finding.js';
import { serverFindings } from './server.js';

const NODE_LEAST: readonly [major: number, minor: number] = [20, 19];

export async function doctor(options: DoctorOptions, env: Environment): Promise<Required<Result>> {
  const { settings, findings } = settingsOf(options, env);
  const all: Finding[] = [
    ...programFindings(process.versions.node),
    ...findings,
    ...environmentFindings(env),
    ...(await serverFindings(options, settings)),
    ...(await trustFindings(options, settings, env)),
    ...(await fileFindings(settings)),
  ];
  const wrong = all.filter(({ status }) => status === 'attention').length;
  return {
    text: options.json ? jsonTextOf(all, wrong) : printFindings(all, wrong),
    exitCode: wrong === 0 ? 0 : EXIT_FAILED,
  };
}

export function programFindings(node: string): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  const old = `${node} is too old; playmoney needs ${NODE_LEAST.join('.')} or later`;
  return [ok('playmoney', VERSION), isOld ? attention('node', old) : ok('node', node)];
}
