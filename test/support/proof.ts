import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { compareWithContract } from '../../src/node/verify/compare.js';
import { Contract } from '../../src/node/verify/contract.js';
import { readShapesFile } from '../../src/node/verify/shapes-file.js';
import { type AnswerShape, ShapeSet } from '../../src/node/verify/shape.js';
import { SERVICE_SECTIONS } from '../../src/resources/sections.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}test/proof/`;

/** What the files of test/proof say of a call or of an answer. */
export type ProofState = 'proven' | 'differs' | 'not yet';

/** A kind of answer, as `POST /charge/card 400 74` in the last column of the pages on fidelity. */
export type AnswerName = Pick<AnswerShape, 'operation' | 'status' | 'code'>;

/** The shapes of contributed files, each compared with playmoney. */
export interface Proof {
  readonly files: readonly string[];
  readonly shapes: readonly { readonly shape: AnswerShape; readonly verdict: string | undefined }[];
}

/** The last cell of a row that names answers: its state, and the answers. */
const PROVEN_CELL = /\| (?:proven|differs|not yet): ([^|\n]+) \|$/gm;

export async function readProof(folder = FOLDER): Promise<Proof> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.shapes.json'));
  const sets = await Promise.all(files.map((name) => readShapesFile(folder + name)));
  const shapes = new ShapeSet(sets.flatMap(({ all }) => all)).all;
  const verdicts = compareWithContract(shapes, readContract());
  return { files, shapes: shapes.map((shape, n) => ({ shape, verdict: verdicts[n]?.verdict })) };
}

export function readContract(): Contract {
  return new Contract(
    JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8')) as Record<string, unknown>,
  );
}

function stateOf({ shapes }: Proof, isMeant: (shape: AnswerShape) => boolean): ProofState {
  const found = shapes.filter(({ shape }) => isMeant(shape));
  if (found.some(({ verdict }) => verdict === 'differs')) return 'differs';
  return found.some(({ verdict }) => verdict === 'same') ? 'proven' : 'not yet';
}

/** How many calls of the service are proven by the files in test/proof: all answers that were seen are as here. */
export function countProof(proof: Proof): string {
  const calls = SERVICE_SECTIONS.flatMap(({ rows }) => rows).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  const states = calls.map((call) => {
    const state = stateOf(proof, ({ operation }) => operation === call);
    const isSuccess = stateOf(proof, ({ operation, status }) => operation === call && status < 400);
    return state === 'proven' ? isSuccess : state;
  });
  const count = (state: ProofState): number => states.filter((known) => known === state).length;
  const who =
    proof.files.length === 0 ? 'nobody has contributed a file yet' : `files: ${proof.files.join(', ')}`;
  return `Of ${calls.length} calls, ${count('proven')} are proven against the service, ${count('differs')} are known to differ, ${count('not yet')} are unknown (${who}).`;
}

/** The answers that the rows of a page name, which prove the row. */
export function listProvingAnswers(page: string): AnswerName[] {
  return [...page.matchAll(PROVEN_CELL)].flatMap(([, names = '']) => readAnswers(names));
}

function readAnswers(names: string): AnswerName[] {
  return names.split(', ').map((name) => {
    const [, operation = name, status, code] = /^([A-Z]+ \S+) (\d+)(?: (\d+))?$/.exec(name) ?? [];
    return { operation, status: Number(status), code: code === undefined ? null : Number(code) };
  });
}

/** A page with the state of each row that names answers: *proven* if all are as here, *differs* if one is not. */
export function markProvenRows(page: string, proof: Proof): string {
  return page.replaceAll(PROVEN_CELL, (_, names: string) => {
    const states = readAnswers(names).map(({ operation, status, code }) =>
      // The service may refuse for the same reason with another status, which is a difference.
      stateOf(
        proof,
        (shape) =>
          shape.operation === operation && shape.code === code && shape.status < 400 === status < 400,
      ),
    );
    const isProven = states.every((state) => state === 'proven');
    const state = states.includes('differs') ? 'differs' : isProven ? 'proven' : 'not yet';
    return `| ${state}: ${names} |`;
  });
}
