import {
  EXIT_FAILED,
  formatJson,
  formatLines,
  type Output,
  type VerbResult,
} from '../../terminal/terminal.js';
import { readScenarioText, type ScenarioProblem } from '../../../scenarios/file/file.js';
import { EncodingError, readText } from '../../files/text-file.js';
import { FileError } from '../../files/file-error.js';
import { formatProblems } from '../choose-scenario.js';

export function formatHints(hints: readonly ScenarioProblem[]): string[] {
  return formatProblems(hints.map((hint) => ({ ...hint, message: `hint: ${hint.message}` })));
}

/** The result for one file: its problems, or why it cannot be read. */
interface CheckedFile {
  readonly file: string;
  readonly problems: readonly ScenarioProblem[];
  readonly hints: readonly ScenarioProblem[];
  readonly unread: FileError | null;
}

async function checkFile(file: string): Promise<CheckedFile> {
  try {
    const read = await readScenarioText(await readText(file), file);
    return 'scenario' in read
      ? { file, problems: [], hints: read.hints, unread: null }
      : { file, problems: read.problems, hints: [], unread: null };
  } catch (error) {
    if (error instanceof EncodingError) {
      const { line, column, reason } = error;
      return { file, problems: [{ file, line, column, message: reason }], hints: [], unread: null };
    }
    if (!(error instanceof FileError)) throw error;
    return { file, problems: [], hints: [], unread: error };
  }
}

/** Validates scenario files and prints the problems of each, as lines or as one JSON object. */
export async function checkFiles(
  files: readonly string[],
  { out, err }: Output,
  { json = false } = {},
): Promise<VerbResult> {
  const all: CheckedFile[] = [];
  let exitCode = 0;
  for (const file of files) {
    const checked = await checkFile(file);
    const { problems, hints, unread } = checked;
    all.push(checked);
    exitCode = unread?.exitCode ?? (problems.length > 0 ? Math.max(exitCode, EXIT_FAILED) : exitCode);
    if (json) continue;
    if (unread !== null) err(formatLines([`playmoney: ${unread.message}`]));
    else
      out(
        formatLines([
          ...(problems.length === 0 ? [`${file}: ok`] : formatProblems(problems)),
          ...formatHints(hints),
        ]),
      );
  }
  if (json) out(formatJson({ Ok: exitCode === 0, Files: all.map(presentChecked) }, 2));
  return { exitCode };
}

function presentChecked({ file, problems, hints, unread }: CheckedFile): object {
  const Unread = unread && [{ Line: null, Column: null, Message: unread.message }];
  return { File: file, Problems: Unread ?? problems.map(presentProblem), Hints: hints.map(presentProblem) };
}

function presentProblem({ line, column, message }: ScenarioProblem): object {
  return { Line: line, Column: column, Message: message };
}
