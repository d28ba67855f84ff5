import { type Fields, textOf } from '../../state/wire.js';

const countOf = (batch: Fields, name: string): number => Number(textOf(batch, name));

/** How many rows succeeded, failed and are left. As in Results, rows that a failed batch did not reach count as failed. */
export function rowsOf(batch: Fields) {
  const [count, good] = [countOf(batch, 'Count'), countOf(batch, 'Success')];
  const bad = textOf(batch, 'Status') === 'FAILED' ? count - good : countOf(batch, 'Failure');
  return { count, good, bad, left: count - good - bad };
}

/** Succeeded, failed and left in one bar. */
export function BatchBar({ batch }: { batch: Fields }) {
  const { count, good, bad, left } = rowsOf(batch);
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
