import type { FaultPoint } from './points.js';

/** Compares the calls of two runs. Several workers call in any order, and references may be random: only their sequences count. */

type PlacedCall = Pick<FaultPoint, 'operation' | 'about' | 'isRead'>;

/** Whether these calls are the beginning of a clean run: those about each reference are the first about one of its references. */
export function areBeginning(calls: readonly PlacedCall[], clean: readonly PlacedCall[]): boolean {
  const [own, others] = [groupByReference(calls), groupByReference(clean)];
  if (!areAmong(own.loose, others.loose)) return false;
  // The longest first: what fits a long sequence fits all of its beginnings.
  return own.sequences
    .toSorted((a, b) => b.length - a.length)
    .every((sequence) => {
      const at = others.sequences.findIndex((whole) => sequence.every((name, i) => whole[i] === name));
      if (at >= 0) others.sequences.splice(at, 1);
      return at >= 0;
    });
}

/** Whether two runs change the same. How often they read may depend on time. */
export function haveSameWrites(one: readonly PlacedCall[], other: readonly PlacedCall[]): boolean {
  const [writes, others] = [one, other].map((calls) => calls.filter(({ isRead }) => !isRead)) as [
    PlacedCall[],
    PlacedCall[],
  ];
  return writes.length === others.length && areBeginning(writes, others);
}

/** The operations of each reference in order, and those without one. Reads that are repeated, as in a loop that polls, count once. */
function groupByReference(calls: readonly PlacedCall[]): { sequences: string[][]; loose: string[] } {
  const loose: string[] = [];
  const sequences = new Map<string, string[]>();
  for (const { operation, about, isRead } of calls) {
    const group = about === null ? loose : (sequences.get(about) ?? []);
    const isRepeated = about === null ? loose.includes(operation) : group.at(-1) === operation;
    if (isRead && isRepeated) continue;
    group.push(operation);
    if (about !== null) sequences.set(about, group);
  }
  return { sequences: [...sequences.values()], loose };
}

/** Whether a list has no more of anything than another one. */
function areAmong(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
