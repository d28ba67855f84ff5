import type { $ZodType } from 'zod/v4/core';

import { CODE } from '../core/errors.js';
import { metaAt, unwrapped } from '../http/fields/issues.js';
import { type AnyRow, isControl } from '../http/route.js';
import { SECTIONS } from '../app/sections.js';
import { listErrorCodes, listFields, isRequired } from './request-fields.js';

/** The tables of the service's operations in the documentation. */
export function serviceTables(): string {
  return buildTables(
    (row) => !isControl(row),
    ['call', 'what it does', 'error codes', 'webhooks'],
    (row) => [
      formatMethodAndPath(row),
      formatPurpose(row),
      formatErrorCodes(row),
      (row.webhooks ?? []).map(codeSpan).join(', '),
    ],
  );
}

/** The tables of the control calls in the documentation. */
export function controlTables(): string {
  return buildTables(isControl, ['call', 'what it does', 'body or query', 'response'], (row) => [
    formatMethodAndPath(row),
    formatPurpose(row),
    formatRequest(row),
    formatResponse(row),
  ]);
}

function buildTables(
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

const codeSpan = (text: string): string => `\`${text}\``;

function formatMethodAndPath({ method, path, access }: AnyRow): string {
  return `${codeSpan(`${method.toUpperCase()} ${path}`)}${access === 'open' ? ' (no key)' : ''}`;
}

function formatPurpose({ summary, text }: AnyRow): string {
  return text === undefined ? summary : `${summary}. ${text}`;
}

/** The page explains the codes of every call, and those of declines, only once. */
function formatErrorCodes(row: AnyRow): string {
  const declared = (row.errors ?? []).map((refused) => (typeof refused === 'number' ? refused : refused[0]));
  const ofFields = [row.body, row.query].flatMap((schema) =>
    schema === undefined ? [] : listErrorCodes(schema),
  );
  const codes = new Set([...declared, ...ofFields].filter((code) => code !== CODE.ValidationError));
  const own = [...codes].toSorted((a, b) => a - b).join(', ');
  return [own, row.asksProvider ? 'a decline' : ''].filter((text) => text !== '').join(', ');
}

function formatRequest({ body, bodyOptional, query }: AnyRow): string {
  const parts = [
    ...(query === undefined ? [] : [`?${listNames(query).join('&')}`]),
    ...(body === undefined ? [] : [`{${listNames(body).join(', ')}}`]),
  ].map(codeSpan);
  if (body !== undefined && listFields(body).length === 0) return findDescription(body);
  if (parts.length === 0) return '';
  return parts.join(' ') + (bodyOptional ? ', or nothing' : '');
}

/** A name with a question mark may be left out. */
function listNames(schema: $ZodType): string[] {
  return listFields(schema).map(([name, field]) => {
    const shown = metaAt(field, []).specified ?? name;
    return isRequired(field) ? shown : `${shown}?`;
  });
}

/** The description of a body whose schema has no fields. */
function findDescription(schema: $ZodType): string {
  return metaAt(schema, []).description ?? '';
}

function formatResponse({ response }: AnyRow): string {
  if (typeof response === 'string') return 'a page';
  const answer = unwrapped(response);
  const { element } = answer._zod.def as unknown as { element?: $ZodType };
  if (element !== undefined) return codeSpan(`[{${listNames(element).join(', ')}}]`);
  const { id } = metaAt(answer, []);
  const members = listFields(answer).map(([name]) => name);
  if (members.length > 0) return `${id === undefined ? '' : `${id}: `}${codeSpan(`{${members.join(', ')}}`)}`;
  if (findDescription(answer) !== '') return findDescription(answer);
  const { options } = answer._zod.def as unknown as { options?: readonly $ZodType[] };
  return (options ?? [])
    .map((schema) => metaAt(schema, []).id ?? codeSpan(`{${listNames(schema).join(', ')}}`))
    .join(' or ');
}
