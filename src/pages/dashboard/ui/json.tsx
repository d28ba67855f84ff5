import type { ComponentChildren } from 'preact';

import { abbreviateId, formatQuantity } from '../text/format.js';
import type { LinkOf } from '../text/sentence.js';

interface JsonProps {
  readonly value: unknown;
  /** The accessible name, such as "Response body". */
  readonly label: string;
  readonly linkOf: LinkOf;
  /** How many levels are open at first. */
  readonly open?: number;
}

/** Maximum number of entries of a list or an object that are shown. */
const ENTRIES_MAX = 200;

/** A JSON value as a tree. Identifiers and error codes are links; fields that are null are folded into one line. */
export function JsonTree({ value, label, linkOf, open = 1 }: JsonProps) {
  return (
    <div class="json" role="group" aria-label={label}>
      <JsonNode name="" value={value} linkOf={linkOf} open={open} />
    </div>
  );
}

type ValueProps = Pick<JsonProps, 'value' | 'linkOf'> & { readonly name: string; readonly open: number };

function JsonNode({ name, value, linkOf, open }: ValueProps) {
  const key = name === '' ? null : <span class="k">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {key}
        <JsonScalar name={name} value={value} linkOf={linkOf} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0)
    return (
      <div>
        {key}
        {isList ? '[]' : '{}'}
      </div>
    );
  const full = isList ? entries : entries.filter(([, inner]) => inner !== null);
  const nulls = isList ? [] : entries.filter(([, inner]) => inner === null).map(([field]) => field);
  const content: ComponentChildren = (
    <div class="in">
      {full.slice(0, ENTRIES_MAX).map(([field, inner]) => (
        <JsonNode key={field} name={isList ? '' : field} value={inner} linkOf={linkOf} open={open - 1} />
      ))}
      {full.length > ENTRIES_MAX ? <div class="soft">… {full.length - ENTRIES_MAX} more</div> : null}
      {nulls.length === 0 ? null : (
        <details>
          <summary>{formatQuantity(nulls.length, 'empty field')}</summary>
          <div class="in soft">{nulls.join(', ')}</div>
        </details>
      )}
    </div>
  );
  if (name === '' && open > 0 && !isList) return content;
  const size = isList ? `[ ${entries.length} ]` : `{ ${entries.length} }`;
  return (
    <details open={open > 0}>
      <summary>
        {key}
        <span class="soft">{size}</span>
      </summary>
      {content}
    </details>
  );
}

function JsonScalar({ name, value, linkOf }: Pick<ValueProps, 'name' | 'value' | 'linkOf'>) {
  const text = typeof value === 'string' ? value : String(value);
  const isId = /^[0-9a-f]{32}$/.test(text);
  const shown = typeof value === 'string' ? JSON.stringify(isId ? abbreviateId(text) : text) : text;
  const href = linkOf(name, text);
  if (href !== null)
    return (
      <a href={href} title={text}>
        {shown}
      </a>
    );
  return (
    <bdi class={typeof value === 'string' ? 'v' : undefined} title={isId ? text : undefined}>
      {shown}
    </bdi>
  );
}
