import { formatCount } from '../../core/text/text.js';
import { formatChange, type AnswerDifference, changesOutcome } from '../../control/opening/diff.js';
import type { TraceEntry } from '../../control/opening/recorded-call.js';

/** Why answers differ, in the order of printing: the most significant causes first. */
const CAUSES = {
  answer: 'incomplete answer, or not JSON',
  identifier: 'identifier that no earlier call returned this time',
  status: 'status',
  missing: 'missing field (in the trace, but not now)',
  extra: 'extra field (not in the trace)',
  value: 'value',
  order: 'order',
} as const;

type CauseName = keyof typeof CAUSES;

/** Limits of the list: differences per cause, operations per difference, calls per operation. */
const DIFFERENCES_MAX = 20;
const OPERATIONS_MAX = 5;
const CALLS_MAX = 5;

/** A difference, with all calls that show it. */
interface FoundDifference {
  /** The path of the field, such as `Refunds.*.Amount`. */
  readonly place: string;
  /** The first change; null if the cause already describes it. */
  readonly change: string | null;
  readonly calls: Map<string, number[]>;
}

export class DifferenceCauses {
  readonly #found = new Map<CauseName, Map<string, FoundDifference>>();

  /** Adds the differences of a call. `isUnknown`: it names an identifier that the replay does not have. */
  add(call: number, entry: TraceEntry, differences: readonly AnswerDifference[], isUnknown: boolean): void {
    const outcome = differences.find(changesOutcome);
    // A refusal has other fields than a success: this counts as one difference, not one per field.
    for (const difference of outcome === undefined ? differences : [outcome]) {
      const cause = outcome !== undefined && isUnknown ? 'identifier' : classifyCause(difference);
      const { calls } = this.#foundOf(cause, difference);
      const operation = formatPathShape(entry);
      const numbers = calls.get(operation);
      if (numbers === undefined) calls.set(operation, [call]);
      else if (numbers.at(-1) !== call) numbers.push(call);
    }
  }

  get size(): number {
    return [...this.#found.values()].reduce((sum, found) => sum + found.size, 0);
  }

  lines(): string[] {
    const causes = (Object.keys(CAUSES) as CauseName[]).filter((cause) => this.#found.has(cause));
    return causes.flatMap((cause) => {
      const found = [...(this.#found.get(cause)?.values() ?? [])];
      const calls = new Set(found.flatMap((difference) => [...difference.calls.values()].flat()));
      const more = found.length - DIFFERENCES_MAX;
      return [
        `    ${CAUSES[cause]}: ${formatCount(calls.size, 'call')}`,
        ...found.slice(0, DIFFERENCES_MAX).map((difference) => `        ${formatCause(difference)}`),
        ...(more > 0 ? [`        and ${more} more`] : []),
      ];
    });
  }

  #foundOf(cause: CauseName, difference: AnswerDifference): FoundDifference {
    const ofCause = this.#found.get(cause) ?? new Map<string, FoundDifference>();
    this.#found.set(cause, ofCause);
    const place = difference.place.replaceAll(/\.(?:\d+|line \d+)(?=\.|$)/g, '.*');
    const change = formatChange(difference);
    // Each status is a separate difference; values and orders are grouped by their place.
    const key = place === difference.about ? `${place} ${change}` : place;
    const isAbsence = cause === 'missing' || cause === 'extra';
    const found = ofCause.get(key) ?? { place, change: isAbsence ? null : change, calls: new Map() };
    ofCause.set(key, found);
    return found;
  }
}

function classifyCause({ about, recorded, replayed }: AnswerDifference): CauseName {
  if (about !== undefined) return about;
  if (replayed === undefined) return 'missing';
  return recorded === undefined ? 'extra' : 'value';
}

/** A path with its identifiers left out, such as `GET /charge/{id}`. */
function formatPathShape({ method, path }: TraceEntry): string {
  const words = path.split('/').map((word) => (/^(?=.*\d)[\w-]{8,}$/.test(word) ? '{id}' : word));
  return `${method} ${words.join('/')}`;
}

function formatCause({ place, change, calls }: FoundDifference): string {
  const operations = [...calls].slice(0, OPERATIONS_MAX).map(([operation, numbers]) => {
    const listed = numbers.slice(0, CALLS_MAX).join(', ');
    return `${operation} (${listed}${numbers.length > CALLS_MAX ? ', …' : ''})`;
  });
  const more = calls.size > OPERATIONS_MAX ? `, and ${calls.size - OPERATIONS_MAX} more` : '';
  return `${change === null ? place : `${place} ${change}`}: ${operations.join(', ')}${more}`;
}
