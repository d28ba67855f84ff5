import { useStore } from './context.js';
import { dateTime, LONG_ID, shortId, span } from './format.js';
import { hrefOf } from './route.js';
import type { TimelineItem } from './wire.js';

/** What kind of thing happened, for those who do not see the mark. */
const MARKS: Readonly<Record<TimelineItem['What'], string>> = {
  added: 'made',
  changed: 'changed',
  failed: 'failed',
  ended: 'ended',
  due: 'due',
  call: 'call',
  webhook: 'webhook',
};

/** What happened, oldest first, by the world's clock. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol class="timeline">
      {items.map((item, n) => (
        <li key={String(n)} class={item.What}>
          <time>{dateTime(item.At)}</time>
          <span class="what">{MARKS[item.What]}</span>
          <span class="text">
            <Text item={item} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Text({ item }: { item: TimelineItem }) {
  const { now } = useStore();
  const { EntryId, DeliveryId, What, At } = item;
  const text = item.Text.replace(LONG_ID, shortId);
  if (EntryId !== null) return <a href={hrefOf('live', String(EntryId))}>{text}</a>;
  if (DeliveryId !== null) return <a href={hrefOf('webhooks')}>{text}</a>;
  return <>{What === 'due' ? `${text}: ${dueIn(Date.parse(At) - now)}` : text}</>;
}

function dueIn(ms: number): string {
  return ms <= 0 ? 'now' : `in ${span(ms)}`;
}
