import type { $ZodType } from 'zod/v4/core';
import { innerOf, metaAt } from '../http/issues.js';

import { isControl } from '../http/route.js';
import type { OperationRow } from './operation.js';
import { SECTIONS } from './operations.js';
import { fieldsOf, isRequired } from './request-fields.js';

/** The table of the sandbox's own calls, as the documentation has it. */
export function controlTable(): string {
  const sections = SECTIONS.map(({ tag, text, rows }) => ({ tag, text, rows: rows.filter(isControl) }));
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ tag, text, rows }) => `### ${tag}\n\n${text}\n\n${HEAD}\n${rows.map(line).join('\n')}`)
    .join('\n\n');
}

const HEAD = '| call | what it does | body or query | answer |\n| --- | --- | --- | --- |';

function line(row: OperationRow): string {
  const call = `\`${row.method.toUpperCase()} ${row.path}\`${row.access === 'open' ? ' (no key)' : ''}`;
  const says = row.text === undefined ? row.summary : `${row.summary}. ${row.text}`;
  return `| ${call} | ${says} | ${sent(row)} | ${answered(row)} |`;
}

function sent({ body, bodyOptional, query }: OperationRow): string {
  const parts = [
    ...(query === undefined ? [] : [`?${names(query).join('&')}`]),
    ...(body === undefined ? [] : [`{${names(body).join(', ')}}`]),
  ].map((part) => `\`${part}\``);
  if (body !== undefined && fieldsOf(body).length === 0) return describedAs(body);
  if (parts.length === 0) return '';
  return parts.join(' ') + (bodyOptional ? ', or nothing' : '');
}

/** A name with a question mark may be left out. */
function names(schema: $ZodType): string[] {
  return fieldsOf(schema).map(([name, field]) => (isRequired(field) ? name : `${name}?`));
}

/** What is said of a document that has no members of its own. */
function describedAs(schema: $ZodType): string {
  return metaAt(schema, []).description ?? '';
}

function answered({ response }: OperationRow): string {
  if (typeof response === 'string') return 'a page';
  const answer = unwrapped(response);
  const { element } = answer._zod.def as unknown as { element?: $ZodType };
  if (element !== undefined) return `\`[{${names(element).join(', ')}}]\``;
  const { id } = metaAt(answer, []);
  const members = fieldsOf(answer).map(([name]) => name);
  if (members.length > 0) return `${id === undefined ? '' : `${id}: `}\`{${members.join(', ')}}\``;
  if (describedAs(answer) !== '') return describedAs(answer);
  const { options } = answer._zod.def as unknown as { options?: readonly $ZodType[] };
  return (options ?? []).map((one) => metaAt(one, []).id ?? `\`{${names(one).join(', ')}}\``).join(' or ');
}

function unwrapped(schema: $ZodType): $ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrapped(inner);
}
