import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The share of the heap limit for young objects, which V8 does not report. It has grown in Node 24. */
const YOUNG_BYTES = (Number.parseInt(process.versions.node, 10) < 24 ? 48 : 192) * 1024 * 1024;
/** V8 ends the program when a few collections in a row leave more than 80 % of the old part in use. */
export const OLD_SHARE = 0.7;

let collect: (() => void) | null = null;

/** The bytes of the heap and of buffers outside it. With `isCollected` garbage is collected first. */
export function memoryUsed(isCollected: boolean): number {
  if (isCollected) {
    collect ??= createCollector();
    collect();
  }
  // Not `process.memoryUsage`, which also asks the system for the resident size of the process.
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** The memory that the sandbox may use by default: a share of the heap limit of V8, which depends on the machine or container. */
export function defaultMemoryMax(): number | null {
  // Bun has no such limit.
  return process.versions['bun'] === undefined
    ? (getHeapStatistics().heap_size_limit - YOUNG_BYTES) * OLD_SHARE
    : null;
}

function createCollector(): () => void {
  const { Bun: bun } = globalThis as { Bun?: { gc(isSynchronous: boolean): void } };
  if (bun !== undefined) return () => bun.gc(true);
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
