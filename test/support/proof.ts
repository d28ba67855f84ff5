import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { compareWithContract } from '../../src/node/verify/compare.js';
import { Contract } from '../../src/node/verify/contract.js';
import { readShapesFile } from '../../src/node/verify/shapes-file.js';
import { ShapeSet } from '../../src/node/verify/shape.js';
import { SERVICE_SECTIONS } from '../../src/resources/sections.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}test/proof/`;

/** How many calls of the service are proven by the files in test/proof: all answers that were seen are as here. */
export async function countProof(): Promise<string> {
  const document = JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8')) as Record<string, unknown>;
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.shapes.json'));
  const sets = await Promise.all(files.map((name) => readShapesFile(FOLDER + name)));
  const shapes = new ShapeSet(sets.flatMap(({ all }) => all)).all;
  const verdicts = compareWithContract(shapes, new Contract(document));
  const calls = SERVICE_SECTIONS.flatMap(({ rows }) => rows).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  const stateOf = (call: string): 'differs' | 'proven' | 'unknown' => {
    const seen = shapes.flatMap(({ operation, status }, n) =>
      operation === call ? [{ status, verdict: verdicts[n]?.verdict }] : [],
    );
    if (seen.some(({ verdict }) => verdict === 'differs')) return 'differs';
    return seen.some(({ verdict, status }) => verdict === 'same' && status < 400) ? 'proven' : 'unknown';
  };
  const count = (state: string): number => calls.filter((call) => stateOf(call) === state).length;
  const who = files.length === 0 ? 'nobody has contributed a file yet' : `files: ${files.join(', ')}`;
  return `Of ${calls.length} calls, ${count('proven')} are proven against the service, ${count('differs')} are known to differ, ${count('unknown')} are unknown (${who}).`;
}
