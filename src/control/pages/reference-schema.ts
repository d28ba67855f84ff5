import { escapeHtml } from './html.js';
import { type Description, nameOf, type Parameter, resolved, type Schema } from './reference-model.js';

/** How the page shows schemas: a table of members, and of each what may stand there. */

/** What every text is bounded by unless told otherwise goes without saying. */
const TEXT_MAX = 1024;
/** Members of members are shown as far down. */
const DEPTH_MAX = 3;

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly says: string | undefined;
  /** Where it stands, such as query. */
  readonly place?: string;
}

export function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    schema,
    isRequired: required === true,
    says: description,
    place,
  }));
  return table('Parameters', rows.map((row) => tableRow(row, 0)).join('\n'));
}

/** What a body has, members of members below those that have them. */
export function memberTable(description: Description, schema: Schema, caption: string): string {
  const rows = memberRows(description, schema, 0);
  return rows.length === 0 ? '' : table(caption, rows.join('\n'));
}

function memberRows(description: Description, schema: Schema, depth: number): string[] {
  const whole = resolved<Schema>(description, schema);
  return Object.entries(whole.properties ?? {}).flatMap(([name, member]) => {
    const inner = resolved<Schema>(description, member);
    const row = {
      name,
      schema: inner,
      isRequired: whole.required?.includes(name) === true,
      says: inner.description,
    };
    const below = depth < DEPTH_MAX ? memberRows(description, inner.items ?? inner, depth + 1) : [];
    return [tableRow(row, depth), ...below];
  });
}

function table(caption: string, rows: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`;
}

function tableRow({ name, schema, isRequired, says = '', place }: Row, depth: number): string {
  const must = isRequired ? ' <strong>required</strong>' : '';
  const where = place === undefined ? '' : ` <span class="soft">${escapeHtml(place)}</span>`;
  return (
    `<tr class="depth-${depth}"><th scope="row"><code>${escapeHtml(name)}</code>${must}${where}</th>` +
    `<td>${typeText(schema)}</td><td>${escapeHtml(says)}</td></tr>`
  );
}

/** What may stand there, in a few words; null goes without saying. */
export function typeText(schema: Schema): string {
  const { $ref, anyOf, enum: words, items, format } = schema;
  if ($ref !== undefined) return `<a href="#schema-${nameOf($ref)}">${escapeHtml(nameOf($ref))}</a>`;
  if (anyOf !== undefined) {
    return anyOf
      .filter(({ type }) => type !== 'null')
      .map(typeText)
      .join(' or ');
  }
  if (words !== undefined) {
    return words
      .flatMap((word) => word ?? [])
      .map((word) => `<code>${escapeHtml(word)}</code>`)
      .join(' ');
  }
  if (items !== undefined) return `list of ${typeText(items)}`;
  const types = [schema.type ?? 'anything'].flat().filter((type) => type !== 'null');
  return `${types.join(' or ')}${format === undefined ? '' : ` (${escapeHtml(format)})`}${bounds(schema)}`;
}

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [from, to] =
    minimum === undefined && maximum === undefined ? [minLength, maxLength] : [minimum, maximum];
  if ((from ?? 1) === 1 && (to ?? TEXT_MAX) === TEXT_MAX && minimum === undefined) return '';
  if (from === undefined) return `, at most ${to}`;
  return to === undefined ? `, at least ${from}` : `, ${from} to ${to}`;
}
