import { type RecordJson, readTextAt } from '../../state/wire.js';

const readCount = (batch: RecordJson, name: string): number => Number(readTextAt(batch, name));

/** How many rows succeeded, failed and are left. As in Results, rows that a failed batch did not reach count as failed. */
export function countRows(batch: RecordJson) {
  const [count, good] = [readCount(batch, 'Count'), readCount(batch, 'Success')];
  const bad = readTextAt(batch, 'Status') === 'FAILED' ? count - good : readCount(batch, 'Failure');
  return { count, good, bad, left: count - good - bad };
}

/** Succeeded, failed and left in one bar. */
export function BatchBar({ batch }: { batch: RecordJson }) {
  const { count, good, bad, left } = countRows(batch);
  const share = (rows: number): string => `${count === 0 ? 0 : (rows / count) * 100}%`;
  const percent = count === 0 ? 0 : Math.floor(((good + bad) / count) * 100);
  return (
    <span class="progress num">
      <span
        class="meter"
        role="img"
        aria-label={`${good} succeeded, ${bad} failed, ${left} left of ${count} rows`}
      >
        <i class="good" style={{ width: share(good) }} />
        <i class="bad" style={{ width: share(bad) }} />
      </span>{' '}
      {percent} %
    </span>
  );
}
