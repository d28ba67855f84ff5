import { useState } from 'preact/hooks';

import type { Explanation } from '../text/explain.js';
import type { LinkOf } from '../text/sentence.js';
import { SentenceText } from './sentence.js';

/** A "?" beside a word, which explains it in a few lines. Escape closes them. */
export function ExplainButton({ about, linkOf }: { about: Explanation | null; linkOf: LinkOf }) {
  const [isOpen, setOpen] = useState(false);
  if (about === null) return null;
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    if (!isOpen || event.key !== 'Escape') return;
    // The page closes its inspector by the same key.
    event.stopPropagation();
    setOpen(false);
    event.currentTarget.querySelector('button')?.focus();
  };
  return (
    <span class="explain" onKeyDown={onKeyDown}>
      <button
        type="button"
        aria-label={`Explain ${about.word}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ?
      </button>
      {isOpen ? (
        <span class="lines">
          {about.lines.map((line, n) => (
            <span key={String(n)}>
              <SentenceText sentence={line} linkOf={linkOf} />
            </span>
          ))}
        </span>
      ) : null}
    </span>
  );
}
