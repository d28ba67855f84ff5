import type { LinkOf, Said } from '../text/said.js';

export function Sentence({ of, linkOf }: { of: Said; linkOf: LinkOf }) {
  return (
    <>
      {of.map((part) => {
        if (typeof part === 'string') return part;
        if ('strong' in part) return <b>{part.strong}</b>;
        const href = linkOf(part.field, part.value);
        return href === null ? <b>{part.text}</b> : <a href={href}>{part.text}</a>;
      })}
    </>
  );
}
