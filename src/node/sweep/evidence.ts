import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

import { isObject, parseJson } from '../../core/text/text.js';
import { type Evidence, evidenceAsHtml, type ProgramRevision } from '../../sweep/report/evidence.js';
import type { AcceptedFinding } from '../../sweep/public.js';
import { FileError } from '../files/file-error.js';
import { readText } from '../files/text-file.js';
import { createFolder, replaceFile } from '../files/whole-file.js';
import { EXIT_FAILED, formatLines, type VerbResult } from '../terminal/terminal.js';
import { toProjectFile } from './call-site.js';

const DATA_FILE = 'evidence.json';
const PAGE_FILE = 'evidence.html';
const ACCEPTED_FIELDS = ['finding', 'reason', 'by', 'on'] as const;

/** The commit of the working directory. Changes in the folders that a sweep itself writes do not count. */
export function describeProgram(program: string, folders: readonly (string | null)[]): ProgramRevision {
  const git = (...args: string[]): string | null => {
    try {
      return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return null;
    }
  };
  // Git refuses to exclude what is not in the repository.
  const own = folders.flatMap((folder) => (folder === null ? [] : (toProjectFile(resolve(folder)) ?? [])));
  const commit = git('rev-parse', 'HEAD');
  const changes = git('status', '--porcelain', '--', ':/', ...own.map((folder) => `:(exclude)${folder}`));
  return { program, commit, isDirty: commit !== null && changes !== '' };
}

export async function saveEvidence(evidence: Evidence, folder: string): Promise<void> {
  createFolder(folder);
  for (const [name, text] of Object.entries(formatEvidence(evidence)))
    await replaceFile(join(folder, name), (write) => write(text));
}

/** The files by their names. */
function formatEvidence(evidence: Evidence): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(JSON.stringify(evidence)).digest('hex');
  return {
    [DATA_FILE]: `${JSON.stringify({ ...evidence, hash }, null, 2)}\n`,
    [PAGE_FILE]: evidenceAsHtml(evidence, hash),
  };
}

/** `sweep --verify`: makes the files again from the data, and compares them. */
export async function verifyEvidence(folder: string): Promise<VerbResult> {
  const data = await readText(join(folder, DATA_FILE));
  const page = await readText(join(folder, PAGE_FILE));
  const given = parseJson(data);
  if (!isObject(given) || typeof given['hash'] !== 'string')
    throw new FileError(`${join(folder, DATA_FILE)} is not the evidence of a sweep: it has no hash`);
  const { hash: _, ...evidence } = given;
  const written = formatAgain(evidence as Evidence);
  const [isDataSame, isPageSame] = [written?.[DATA_FILE] === data, written?.[PAGE_FILE] === page];
  if (isDataSame && isPageSame)
    return { text: formatLines([`${folder}: not edited. The hash shows accidental changes only.`]) };
  const edited = join(folder, isDataSame ? PAGE_FILE : DATA_FILE);
  // The page is compared with the data. If these were edited, the page may still be as the sweep wrote it.
  const isOther = !isDataSame && !isPageSame;
  const lines = [
    `${edited} was edited: it is not what the sweep wrote.`,
    ...(isOther ? [`${join(folder, PAGE_FILE)} does not belong to ${DATA_FILE}.`] : []),
  ];
  return { text: formatLines(lines), exitCode: EXIT_FAILED };
}

/** Null if a part that the page needs is gone. */
function formatAgain(evidence: Evidence): Readonly<Record<string, string>> | null {
  try {
    return formatEvidence(evidence);
  } catch {
    return null;
  }
}

/** The findings that `--accept` names, or that are in a file. Throws a FileError if the file has others than such findings. */
export async function readAccepted(values: readonly string[]): Promise<(string | AcceptedFinding)[]> {
  const read = values.map(async (value) => (value.endsWith('.json') ? readAcceptedFile(value) : [value]));
  return (await Promise.all(read)).flat();
}

async function readAcceptedFile(file: string): Promise<AcceptedFinding[]> {
  const list = parseJson(await readText(file));
  const needed = 'a list of {"finding", "reason", "by", "on"}, each a text that is not empty';
  if (!Array.isArray(list)) throw new FileError(`--accept: ${file} must be JSON with ${needed}`);
  return list.map((item: unknown, i) => {
    const missing = ACCEPTED_FIELDS.find((name) => !isObject(item) || !isText(item[name]));
    if (missing !== undefined)
      throw new FileError(`--accept: ${file}: item ${i + 1} has no ${missing}; it must be ${needed}`);
    const accepted = item as AcceptedFinding;
    if (isDate(accepted.on)) return accepted;
    throw new FileError(
      `--accept: ${file}: item ${i + 1}: on is ${JSON.stringify(accepted.on)}; it must be a date, such as 2026-11-27`,
    );
  });
}

/** Whether a text is a day of the calendar, such as 2026-11-27. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
