import { useState } from 'preact/hooks';

import { formatQuantity, formatDateTime, abbreviateId } from '../text/format.js';
import { summariseEntry } from '../text/names.js';
import type { LinkOf } from '../text/sentence.js';
import type { RecordJson } from '../state/wire.js';
import { JsonTree } from './json.js';
import { FactList } from './panel.js';

/** The fields of a record that have a value, with those of objects in it. The names of all others are folded; the JSON is shown on demand. */
export function RecordFields({ record, linkOf }: { record: RecordJson; linkOf: LinkOf }) {
  const [isJson, showJson] = useState(false);
  return (
    <section class="after" aria-labelledby="fields-title">
      <div class="row between">
        <h2 id="fields-title">Fields</h2>
        <button type="button" class="plain" aria-pressed={isJson} onClick={() => showJson(!isJson)}>
          As JSON
        </button>
      </div>
      {isJson ? (
        <JsonTree value={record} label="The record as JSON" linkOf={linkOf} open={3} />
      ) : (
        <NamedValueList values={[...flattenFields(record)]} linkOf={linkOf} />
      )}
    </section>
  );
}

type NamedValue = readonly [name: string, value: unknown];

function NamedValueList({ values, linkOf }: { values: readonly NamedValue[]; linkOf: LinkOf }) {
  const empty = values.filter(([, value]) => value === null).map(([name]) => name);
  const full = values.filter(([, value]) => value !== null);
  return (
    <>
      <FactList
        facts={full.map(([name, value]) => [
          name === 'FailedAttempts' ? 'Failed attempts' : name,
          <FieldValue name={name} value={value} linkOf={linkOf} />,
        ])}
      />
      {empty.length === 0 ? null : (
        <details class="empty">
          <summary>{formatQuantity(empty.length, 'empty field')}</summary>
          <p class="soft">{empty.join(', ')}</p>
        </details>
      )}
    </>
  );
}

function FieldValue({ name, value, linkOf }: { name: string; value: unknown; linkOf: LinkOf }) {
  const text = Array.isArray(value) ? value.map(summariseEntry).join('; ') : String(value);
  const href = linkOf(name, text);
  const isId = /^[0-9a-f]{32}$/.test(text);
  const label = isId ? abbreviateId(text) : INSTANT.test(text) ? formatDateTime(text) : text;
  const shown = isId ? <code title={text}>{label}</code> : <bdi title={text}>{label}</bdi>;
  return href === null ? shown : <a href={href}>{shown}</a>;
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Values by name, those of an object with its name before them. An identifier that the record repeats is listed once. */
function flattenFields(record: RecordJson, within = ''): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [field, value] of Object.entries(record)) {
    if (Array.isArray(value)) leaves.set(within + field, value.length === 0 ? null : value);
    else if (typeof value === 'object' && value !== null) {
      for (const [inner, one] of flattenFields(value as RecordJson, `${field}.`)) leaves.set(inner, one);
    } else leaves.set(field.endsWith('Id') ? field : within + field, value);
  }
  return leaves;
}
