import { count, plainLine } from '../../core/text.js';
import { environmentFindings, settingsOf } from './environment.js';
import { serverFindings } from './server.js';
import { fileFindings, trustFindings } from './files.js';
import type { Finding } from './model.js';
import type { Environment } from '../cli/option-values.js';
import type { DoctorOptions } from '../cli/options.js';
import { VERSION } from '../../version.js';

/** The first version of Node that runs it. */
const NODE_LEAST: readonly [major: number, minor: number] = [20, 19];

const MARKS = { ok: 'ok', note: '--', attention: '!!' } as const;

export interface Diagnosis {
  readonly text: string;
  readonly isWell: boolean;
}

/** Looks at all that usually goes wrong between a program and its sandbox. */
export async function doctor(options: DoctorOptions, env: Environment): Promise<Diagnosis> {
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
  return { text: options.json ? jsonOf(all, wrong) : linesOf(all, wrong), isWell: wrong === 0 };
}

/** What runs, and whether it can. */
export function programFindings(node: string): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  return [
    { name: 'playmoney', status: 'ok', message: VERSION },
    isOld
      ? {
          name: 'node',
          status: 'attention',
          message: `${node} is too old; ${NODE_LEAST.join('.')} or later is needed`,
        }
      : { name: 'node', status: 'ok', message: node },
  ];
}

function linesOf(findings: readonly Finding[], wrong: number): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, status, message }) =>
    plainLine(`${MARKS[status]}  ${name.padEnd(width)}  ${message}`),
  );
  const end =
    wrong === 0 ? 'All is well.' : `${count(wrong, 'thing')} ${wrong === 1 ? 'needs' : 'need'} attention.`;
  return [...lines, '', end].map((line) => `${line}\n`).join('');
}

function jsonOf(findings: readonly Finding[], wrong: number): string {
  const Findings = findings.map(({ name, status, message }) => ({
    Name: name,
    Status: status,
    Message: message,
  }));
  return `${JSON.stringify({ Ok: wrong === 0, Findings }, null, 2)}\n`;
}
