import type { $ZodType } from 'zod/v4/core';

import { CODE } from '../core/errors.js';
import { metaAt, unwrapped } from '../http/fields/issues.js';
import { type AnyRow, isControl } from '../http/route.js';
import { SECTIONS } from '../app/sections.js';
import { codesOf, fieldsOf, isRequired } from './request-fields.js';

/** The tables of the service's operations in the documentation. */
export function serviceTables(): string {
  return tablesOf(
    (row) => !isControl(row),
    ['call', 'what it does', 'error codes', 'webhooks'],
    (row) => [callOf(row), aboutOf(row), refusedWith(row), (row.webhooks ?? []).map(code).join(', ')],
  );
}

/** The tables of the control calls in the documentation. */
export function controlTables(): string {
  return tablesOf(isControl, ['call', 'what it does', 'body or query', 'response'], (row) => [
    callOf(row),
    aboutOf(row),
    sent(row),
    answered(row),
  ]);
}

function tablesOf(
  belongs: (row: AnyRow) => boolean,
  head: readonly string[],
  cells: (row: AnyRow) => readonly string[],
): string {
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const sections = SECTIONS.map(({ tag, text, rows }) => ({ tag, text, rows: rows.filter(belongs) }));
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ tag, text, rows }) => {
      const table = [head, head.map(() => '---'), ...rows.map(cells)].map(line);
      return `### ${tag}\n\n${text}\n\n${table.join('\n')}`;
    })
    .join('\n\n');
}

const code = (text: string): string => `\`${text}\``;

function callOf({ method, path, access }: AnyRow): string {
  return `${code(`${method.toUpperCase()} ${path}`)}${access === 'open' ? ' (no key)' : ''}`;
}

function aboutOf({ summary, text }: AnyRow): string {
  return text === undefined ? summary : `${summary}. ${text}`;
}

/** The page explains the codes of every call, and those of declines, only once. */
function refusedWith(row: AnyRow): string {
  const declared = (row.errors ?? []).map((refused) => (typeof refused === 'number' ? refused : refused[0]));
  const ofFields = [row.body, row.query].flatMap((schema) => (schema === undefined ? [] : codesOf(schema)));
  const codes = new Set([...declared, ...ofFields].filter((one) => one !== CODE.ValidationError));
  const own = [...codes].toSorted((a, b) => a - b).join(', ');
  return [own, row.asksProvider ? 'a decline' : ''].filter((text) => text !== '').join(', ');
}

function sent({ body, bodyOptional, query }: AnyRow): string {
  const parts = [
    ...(query === undefined ? [] : [`?${names(query).join('&')}`]),
    ...(body === undefined ? [] : [`{${names(body).join(', ')}}`]),
  ].map(code);
  if (body !== undefined && fieldsOf(body).length === 0) return describedAs(body);
  if (parts.length === 0) return '';
  return parts.join(' ') + (bodyOptional ? ', or nothing' : '');
}

/** A name with a question mark may be left out. */
function names(schema: $ZodType): string[] {
  return fieldsOf(schema).map(([name, field]) => {
    const shown = metaAt(field, []).specified ?? name;
    return isRequired(field) ? shown : `${shown}?`;
  });
}

/** The description of a body whose schema has no fields. */
function describedAs(schema: $ZodType): string {
  return metaAt(schema, []).description ?? '';
}

function answered({ response }: AnyRow): string {
  if (typeof response === 'string') return 'a page';
  const answer = unwrapped(response);
  const { element } = answer._zod.def as unknown as { element?: $ZodType };
  if (element !== undefined) return code(`[{${names(element).join(', ')}}]`);
  const { id } = metaAt(answer, []);
  const members = fieldsOf(answer).map(([name]) => name);
  if (members.length > 0) return `${id === undefined ? '' : `${id}: `}${code(`{${members.join(', ')}}`)}`;
  if (describedAs(answer) !== '') return describedAs(answer);
  const { options } = answer._zod.def as unknown as { options?: readonly $ZodType[] };
  return (options ?? []).map((one) => metaAt(one, []).id ?? code(`{${names(one).join(', ')}}`)).join(' or ');
}
