import { formatCount } from '../../core/text/text.js';
import { CommandError, EXIT_FAILED, formatLines, type VerbResult } from '../terminal/terminal.js';
import { type AnswerShape, shapeKey } from './shape.js';

/** The differences that are listed of one answer, and the lines in all. */
const DIFFERENCES_MAX = 12;
const LINES_MAX = 1000;
/** The verdict that counts most comes first. */
const VERDICTS = ['differs', 'same', 'not compared'] as const;

/** The result of comparing the answers of one operation, status and code. */
export interface ShapeVerdict {
  readonly key: string;
  readonly verdict: (typeof VERDICTS)[number];
  /** The differences, or why nothing was compared. */
  readonly lines: readonly string[];
}

/** The verdict from the differences, or from the reason why nothing was compared. */
export function toVerdict(shape: AnswerShape, found: readonly string[] | string): ShapeVerdict {
  const key = shapeKey(shape);
  if (typeof found === 'string') return { key, verdict: 'not compared', lines: [found] };
  const more = found.length - DIFFERENCES_MAX;
  const last = more > 0 ? [`and ${formatCount(more, 'more difference')}`] : [];
  const verdict = found.length === 0 ? 'same' : 'differs';
  return { key, verdict, lines: [...found.slice(0, DIFFERENCES_MAX), ...last] };
}

/** One verdict for each key: a difference wins over what was equal, and that over what was not compared. */
export function mergeVerdicts(all: readonly ShapeVerdict[]): ShapeVerdict[] {
  const merged = new Map<string, ShapeVerdict>();
  for (const found of all) {
    const known = merged.get(found.key) ?? found;
    const rank = VERDICTS.indexOf(found.verdict) - VERDICTS.indexOf(known.verdict);
    const lines = rank === 0 ? [...new Set([...known.lines, ...found.lines])] : known.lines;
    merged.set(found.key, rank < 0 ? found : { ...known, lines });
  }
  return [...merged.values()];
}

/** The table and the sum. The exit code is 1 for a difference; if `isStrict`, also if something was not compared. */
export function reportVerdicts(verdicts: readonly ShapeVerdict[], isStrict: boolean): VerbResult {
  if (verdicts.length === 0)
    throw new CommandError(
      'no answer of the service was seen: the command must call PLAYMONEY_URL with a sandbox key',
      EXIT_FAILED,
    );
  const width = Math.max(...verdicts.map(({ key }) => key.length));
  const lines = verdicts.flatMap(({ key, verdict, lines: found }) => {
    const head = `${key.padEnd(width)}  ${verdict}`;
    return verdict === 'not compared'
      ? [`${head}: ${found.join('; ')}`]
      : [head, ...found.map((line) => `  ${line}`)];
  });
  const [differs = 0, same, others = 0] = VERDICTS.map(
    (wanted) => verdicts.filter(({ verdict }) => verdict === wanted).length,
  );
  const sum = `verify: ${same} same, ${differs} ${differs === 1 ? 'differs' : 'differ'}, ${others} not compared`;
  const text = formatLines([...lines.slice(0, LINES_MAX), sum]);
  return differs > 0 || (isStrict && others > 0) ? { text, exitCode: EXIT_FAILED } : { text };
}
