import { formatCount } from '../../core/text/text.js';
import { type AnswerShape, shapeKey } from './shape.js';

const LINES_MAX = 12;

/** The result of comparing the answers of one operation, status and code. */
export interface ShapeVerdict {
  readonly key: string;
  readonly verdict: 'same' | 'differs' | 'not compared';
  /** The differences, or why nothing was compared. */
  readonly lines: readonly string[];
}

export function toVerdict(
  shape: AnswerShape,
  found: readonly string[] | { readonly reason: string },
): ShapeVerdict {
  const key = shapeKey(shape);
  if ('reason' in found) return { key, verdict: 'not compared', lines: [found.reason] };
  if (found.length === 0) return { key, verdict: 'same', lines: [] };
  const more = found.length - LINES_MAX;
  const lines =
    more > 0 ? [...found.slice(0, LINES_MAX), `and ${formatCount(more, 'more difference')}`] : found;
  return { key, verdict: 'differs', lines };
}

/** One verdict for each key: a difference wins over what was equal, and that over what was not compared. */
export function mergeVerdicts(all: readonly ShapeVerdict[]): ShapeVerdict[] {
  const rank = { differs: 0, same: 1, 'not compared': 2 };
  const merged = new Map<string, ShapeVerdict>();
  for (const found of all) {
    const known = merged.get(found.key);
    if (known === undefined || rank[found.verdict] < rank[known.verdict]) merged.set(found.key, found);
    else if (known.verdict === found.verdict)
      merged.set(found.key, { ...known, lines: [...new Set([...known.lines, ...found.lines])] });
  }
  return [...merged.values()];
}
