/** One reading: when, and how much. */
export interface Reading {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number;
}

/**
 * By how much readings grow a minute: the median of the slopes between any two of them (Theil and Sen), so that a few readings of busy
 * moments do not count.
 */
export function slopePerMinute(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, n) =>
    readings.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return (slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0) * 60_000;
}
