import { LIFELINES, type SequenceArrow, toMermaid } from '../text/order/sequence.js';
import { formatTime } from '../text/when.js';
import { CopyButton } from './copy.js';

const COLUMN = 100 / LIFELINES.length;

/** Who sent what to whom: a lifeline for each side, and a broken arrow where an answer was lost. */
export function SequenceDiagram({ arrows }: { arrows: readonly SequenceArrow[] }) {
  return (
    <section aria-labelledby="sequence-title">
      <div class="row between">
        <h2 id="sequence-title">Sequence</h2>
        <CopyButton text={toMermaid(arrows)} label="Copy as Mermaid" kind="" />
      </div>
      <div class="sequence">
        <ol class="lifelines" aria-hidden="true">
          {LIFELINES.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
        <ol class="arrows">
          {arrows.map((arrow, n) => (
            <ArrowRow key={String(n)} arrow={arrow} />
          ))}
        </ol>
      </div>
    </section>
  );
}

function ArrowRow({ arrow: { at, from, to, text, kind, isBad } }: { arrow: SequenceArrow }) {
  const left = Math.min(from, to);
  const style = {
    marginLeft: `${(left + 0.5) * COLUMN}%`,
    width: `${Math.abs(to - from) * COLUMN}%`,
  };
  const direction = to > from ? 'right' : 'left';
  return (
    <li class={isBad ? 'bad' : ''}>
      <span class="unseen">
        {LIFELINES[from]} to {LIFELINES[to]}:
      </span>
      <span class="said" style={style}>
        {kind === 'call' ? <time class="soft num">{formatTime(at)}</time> : null} <bdi>{text}</bdi>
      </span>
      <span class={`arrow ${kind} ${direction}`} style={style} aria-hidden="true" />
    </li>
  );
}
