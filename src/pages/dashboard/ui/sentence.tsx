import type { LinkOf, SentenceParts } from '../text/sentence.js';

export function SentenceText({ sentence, linkOf }: { sentence: SentenceParts; linkOf: LinkOf }) {
  return (
    <>
      {sentence.map((part) => {
        if (typeof part === 'string') return part;
        if ('strong' in part) return <b>{part.strong}</b>;
        const href = linkOf(part.field, part.value);
        return href === null ? <b>{part.text}</b> : <a href={href}>{part.text}</a>;
      })}
    </>
  );
}
