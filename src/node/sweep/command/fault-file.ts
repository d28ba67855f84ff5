import { didYouMean } from '../../../core/text/nearest.js';
import { describeType, isObject } from '../../../core/text/text.js';
import { parseScenario } from '../../../scenarios/file/schema.js';
import { readYaml, YamlFault } from '../../../scenarios/file/yaml.js';
import { buildFaultScenario } from '../../../sweep/choose-faults.js';
import type { OwnFault } from '../../../sweep/faults.js';
import { FileError } from '../../files/file-error.js';
import { readText } from '../../files/text-file.js';

const FIELDS = ['name', 'about', 'operations', 'then', 'policy'] as const;
const EXAMPLE = '{name: busy, operations: [charge.create], then: {outcome: issuer_unavailable}}';

export function isFaultFile(name: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(name);
}

/** Reads faults of one's own, one or a list, in YAML or JSON. Throws a FileError for the first that is wrong. */
export async function readFaultFile(file: string): Promise<readonly OwnFault[]> {
  const value = await readYamlFile(file);
  const faults = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  for (const [i, fault] of faults.entries()) {
    const problem = isObject(fault)
      ? findWrongField(fault)
      : ` is ${describeType(fault)}; it must be an object such as ${EXAMPLE}`;
    if (problem !== null) throw new FileError(`${file}: fault ${i + 1}${problem}`);
  }
  const own = faults as readonly OwnFault[];
  const parsed = parseScenario(buildFaultScenario(own));
  if ('issues' in parsed) throw new FileError(`${file}: ${parsed.issues[0]?.message}`);
  return own;
}

async function readYamlFile(file: string): Promise<unknown> {
  const text = await readText(file);
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  try {
    return readYaml(yaml, text, lines).toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const { line, col } = lines.linePos(error.offset);
    throw new FileError(`${file}:${line}:${col}: ${error.message}`);
  }
}

function findWrongField(fault: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(fault).find((field) => !(FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined)
    return `: unknown field ${JSON.stringify(unknown)}. Fields: ${FIELDS.join(', ')}${didYouMean(unknown, FIELDS)}`;
  const { name, about = '' } = fault;
  if (typeof name !== 'string' || name === '') return ': name is required, such as busy';
  return typeof about === 'string' ? null : ': about must be a string, such as "The issuer was busy."';
}
