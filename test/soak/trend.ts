/** One reading: when, and how much. */
export interface Reading {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number;
}

/** By how much readings grow a minute: the slope of the line that fits them best. */
export function slopePerMinute(readings: readonly Reading[]): number {
  const meanAt = mean(readings.map(({ at }) => at));
  const meanValue = mean(readings.map(({ value }) => value));
  let above = 0;
  let below = 0;
  for (const { at, value } of readings) {
    above += (at - meanAt) * (value - meanValue);
    below += (at - meanAt) ** 2;
  }
  return below === 0 ? 0 : (above / below) * 60_000;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
