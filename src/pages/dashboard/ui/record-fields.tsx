/** @jsxImportSource preact */
import { shortId } from '../text/format.js';
import type { LinkOf } from '../text/said.js';
import type { Fields } from '../state/wire.js';

/** The fields of a record that have a value, with those of objects in it. The names of all others are folded. */
export function RecordFields({ record, linkOf }: { record: Fields; linkOf: LinkOf }) {
  const all = leavesOf(record);
  const full = all.filter(([, value]) => value !== null);
  const empty = all.filter(([, value]) => value === null).map(([name]) => name);
  return (
    <>
      <dl class="record">
        {full.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <FieldValue name={name} value={value} linkOf={linkOf} />
            </dd>
          </div>
        ))}
      </dl>
      {empty.length === 0 ? null : (
        <details class="empty">
          <summary>{empty.length === 1 ? '1 is null or empty' : `${empty.length} are null or empty`}</summary>
          <p class="soft">{empty.join(', ')}</p>
        </details>
      )}
    </>
  );
}

function FieldValue({ name, value, linkOf }: { name: string; value: unknown; linkOf: LinkOf }) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const href = linkOf(name, text);
  const isId = /^[0-9a-f]{32}$/.test(text);
  const shown = isId ? <code title={text}>{shortId(text)}</code> : <span title={text}>{text}</span>;
  return href === null ? shown : <a href={href}>{shown}</a>;
}

/** Values by name. A field of an object that the record repeats, such as the ProviderId of its provider, is listed once. */
function leavesOf(record: Fields): (readonly [name: string, value: unknown])[] {
  const leaves = new Map<string, unknown>();
  const add = (name: string, value: unknown): void => {
    if (leaves.get(name) === value) return;
    leaves.set(leaves.has(name) && leaves.get(name) !== null ? `${name} ` : name, value);
  };
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'object' || value === null) add(name, value);
    else if (Array.isArray(value)) add(name, value.length === 0 ? null : value);
    else for (const [inner, one] of leavesOf(value as Fields)) add(`${name}.${inner}`, one);
  }
  return [...leaves];
}
