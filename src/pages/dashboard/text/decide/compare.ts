import type { DiffResponse } from '../../state/wire.js';
import { formatQuantity } from '../format.js';

/** The records of one kind that changed in one way, such as "3 charges changed". */
export interface DiffPart {
  readonly text: string;
  readonly kind: string;
  readonly change: DiffResponse['Changes'][number]['Change'];
}

const WAYS = [
  ['Changed', 'changed', 'changed'],
  ['Added', 'added', 'new'],
  ['Removed', 'removed', 'removed'],
] as const;

/** The name of a kind in words: `paymentMethod` is "payment method". */
export const nameDiffKind = (name: string): string => name.replaceAll(/(?<=.)(?=[A-Z])/g, ' ').toLowerCase();

/** The differences, by kind and in the order of the kinds. */
export function listDiffParts({ Counts }: Pick<DiffResponse, 'Counts'>): DiffPart[] {
  return Object.entries(Counts).flatMap(([counted, counts]) => {
    const many = nameDiffKind(counted);
    const one = many.replace(/ies$/, 'y').replace(/(?<=ch)es$|s$/, '');
    return WAYS.flatMap(([name, change, word]) => {
      const text = `${formatQuantity(counts[name], one, many)} ${word}`;
      return counts[name] === 0 ? [] : { text, kind: one, change };
    });
  });
}
