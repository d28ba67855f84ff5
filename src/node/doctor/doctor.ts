import { count, linesOf, plainLine } from '../../core/text.js';
import { environmentFindings, settingsOf } from './environment.js';
import { serverFindings } from './server.js';
import { fileFindings, trustFindings } from './files.js';
import { attention, type Finding, ok } from './finding.js';
import { EXIT_FAILED, type Result } from '../cli/terminal.js';
import type { DoctorOptions } from '../cli/option-table.js';
import type { Environment } from '../cli/option.js';
import { VERSION } from '../../version.js';

/** The first version of Node that runs it. */
const NODE_LEAST: readonly [major: number, minor: number] = [20, 19];

const MARKS = { ok: 'ok', note: '--', attention: '!!' } as const;

/** Looks at all that usually goes wrong between a program and its sandbox. */
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
    text: options.json ? jsonOf(all, wrong) : textOf(all, wrong),
    exitCode: wrong === 0 ? 0 : EXIT_FAILED,
  };
}

/** What runs, and whether it can. */
export function programFindings(node: string): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  return [
    ok('playmoney', VERSION),
    isOld
      ? attention('node', `${node} is too old; ${NODE_LEAST.join('.')} or later is needed`)
      : ok('node', node),
  ];
}

function textOf(findings: readonly Finding[], wrong: number): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, status, message }) =>
    plainLine(`${MARKS[status]}  ${name.padEnd(width)}  ${message}`),
  );
  const end =
    wrong === 0 ? 'All is well.' : `${count(wrong, 'thing')} ${wrong === 1 ? 'needs' : 'need'} attention.`;
  return linesOf([...lines, '', end]);
}

function jsonOf(findings: readonly Finding[], wrong: number): string {
  const Findings = findings.map(({ name, status, message }) => ({
    Name: name,
    Status: status,
    Message: message,
  }));
  return `${JSON.stringify({ Ok: wrong === 0, Findings }, null, 2)}\n`;
}
