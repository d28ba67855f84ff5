import { html } from 'hono/html';

import { type Html, joinHtml } from './html.js';

/** How the page shows schemas: a table of fields, and the type of each. */

/** The usual maximum length of a text, which is not shown. */
const TEXT_MAX = 1024;
/** How many levels of nested fields are shown. */
const DEPTH_MAX = 3;

interface ReferenceRow {
  readonly name: string;
  readonly schema: ReferenceSchema;
  readonly isRequired: boolean;
  readonly meaning: string | undefined;
  /** Where a parameter goes, such as query. */
  readonly place?: string;
}

export function parameterTable(parameters: readonly ReferenceParameter[]): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    schema,
    isRequired: required === true,
    meaning: description,
    place,
  }));
  return fieldsPart(
    'Parameters',
    rows.map((row) => fieldTableRow(row, 0)),
  );
}

/** The fields of a body, nested ones below the field that holds them. */
export function fieldTable(
  description: ApiDescription,
  schema: ReferenceSchema,
  caption: string,
): Html | null {
  const rows = fieldRows(description, schema, 0);
  return rows.length === 0 ? null : fieldsPart(caption, rows);
}

function fieldRows(description: ApiDescription, schema: ReferenceSchema, depth: number): Html[] {
  const whole = resolveReference<ReferenceSchema>(description, schema);
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]) => {
    const inner = resolveReference<ReferenceSchema>(description, field);
    const row = {
      name,
      schema: inner,
      isRequired: whole.required?.includes(name) === true,
      meaning: inner.description,
    };
    const below = depth < DEPTH_MAX ? fieldRows(description, inner.items ?? inner, depth + 1) : [];
    return [fieldTableRow(row, depth), ...below];
  });
}

function fieldsPart(caption: string, rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${joinHtml(rows)}
</tbody>
</table></div>`;
}

function fieldTableRow({ name, schema, isRequired, meaning = '', place }: ReferenceRow, depth: number): Html {
  const must = isRequired && html` <strong>required</strong>`;
  const where = place !== undefined && html` <span class="soft">${place}</span>`;
  const head = html`<th scope="row"><code>${name}</code>${must}${where}</th>`;
  return html`<tr class="depth-${depth}">${head}<td>${typeText(schema)}</td><td>${meaning}</td></tr>`;
}

/** The type in a few words, without null. */
export function typeText(schema: ReferenceSchema): Html {
  const { $ref, anyOf, enum: words, items, format } = schema;
  if ($ref !== undefined)
    return html`<a href="/_sandbox/reference#schema-${referenceName($ref)}">${referenceName($ref)}</a>`;
  if (anyOf !== undefined) {
    const types = anyOf.filter(({ type }) => type !== 'null').map(typeText);
    return joinHtml(types, ' or ');
  }
  if (words !== undefined) {
    const codes = words.flatMap((word) => (word === null ? [] : html`<code>${word}</code>`));
    return joinHtml(codes, ' ');
  }
  if (items !== undefined) return html`list of ${typeText(items)}`;
  const types = [schema.type ?? 'anything'].flat().filter((type) => type !== 'null');
  return html`${types.join(' or ')}${format === undefined ? '' : ` (${format})`}${boundsText(schema)}`;
}

function boundsText({ minimum, maximum, minLength, maxLength }: ReferenceSchema): string {
  const [from, to] =
    minimum === undefined && maximum === undefined ? [minLength, maxLength] : [minimum, maximum];
  if ((from ?? 1) === 1 && (to ?? TEXT_MAX) === TEXT_MAX && minimum === undefined) return '';
  if (from === undefined) return `, at most ${to}`;
  return to === undefined ? `, at least ${from}` : `, ${from} to ${to}`;
}

/** The parts of a schema that the page shows. */
export interface ReferenceSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ReferenceSchema>>;
  readonly required?: readonly string[];
  readonly items?: ReferenceSchema;
  readonly anyOf?: readonly ReferenceSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ReferenceParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ReferenceSchema;
}

interface ReferenceContent {
  readonly [mediaType: string]: { readonly schema: ReferenceSchema; readonly example?: unknown };
}

export interface ReferenceAnswer {
  readonly description: string;
  readonly content?: ReferenceContent;
}

export interface ReferenceOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (ReferenceParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: ReferenceContent };
  readonly responses: Readonly<Record<string, ReferenceAnswer | { readonly $ref: string }>>;
}

/** The OpenAPI description. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The target of a reference. Any other value is returned unchanged. */
export function resolveReference<T extends object>(
  description: ApiDescription,
  value: T | { readonly $ref: string },
): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [kind = '', name = ''] = value.$ref.split('/').slice(2);
  return description.components[kind]?.[name] as T;
}

/** The name at the end of a reference. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
