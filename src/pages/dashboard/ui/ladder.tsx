import type { LadderStep } from '../text/why.js';

/** Everything that can decide an outcome, in order, with the step that did. */
export function Ladder({ rungs, hasFailed }: { rungs: readonly LadderStep[]; hasFailed: boolean }) {
  return (
    <ol class="ladder">
      {rungs.map(({ name, title, verdict, place, note }) => (
        <li key={name} class={place === 'decided' && hasFailed ? 'decided bad' : place} title={title}>
          <span>
            {place === 'decided' ? <b>{name}</b> : name} <span>{verdict}</span>
          </span>
          {note === '' ? null : <p>{note}</p>}
        </li>
      ))}
    </ol>
  );
}
