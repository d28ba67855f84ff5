import * as z from 'zod';

import { ApiError, CODE } from '../../core/errors.js';
import {
  NumberText,
  describeType,
  explainTooLong,
  explainWrongType,
  endSentence,
  quoteText,
  QUOTED_LENGTH_MAX,
} from '../../core/text/text.js';
import { findSecretKind } from '../../core/text/secret-fields.js';
import { describeBlank } from './field.js';

type FieldIssue = z.core.$ZodIssue;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  record: 'an object',
  object: 'an object',
  array: 'an array',
};

/** A refusal with the code of the first wrong field, and a reason for each field. */
export function buildFieldsError(
  schema: z.core.$ZodType,
  issues: readonly FieldIssue[],
  value: unknown,
): ApiError {
  const details: Record<string, string> = {};
  let code: number | undefined;
  for (const issue of issues) {
    const given = findValueAt(value, issue.path);
    const found = explainIssue(issue, given, metaAt(schema, issue.path));
    code ??= found.code;
    details[issue.path.map(String).join('.') || 'body'] ??=
      addReceived(found.reason, given, issue.path) + blankHint(issue, value);
  }
  const detail = Object.entries(details)
    .map(([name, reason]) => `${name === 'body' ? 'The body' : name} ${reason}`)
    .join('; ');
  return new ApiError({ code: code ?? CODE.ValidationError, detail: endSentence(detail), details });
}

/** A reason that says only what is accepted, with the received value, unless that is a secret. */
function addReceived(reason: string, given: unknown, path: readonly PropertyKey[]): string {
  const isScalar = given instanceof NumberText || ['string', 'number', 'boolean'].includes(typeof given);
  if (!isScalar || !/^must (?!not )/.test(reason) || reason.includes(', not ') || isSecretField(path))
    return reason;
  return `${reason}, not ${typeof given === 'string' ? formatText(given) : formatScalar(given)}`;
}

/** The beginning of a long text would not tell why it is refused. */
function formatText(text: string): string {
  return text.length > QUOTED_LENGTH_MAX ? `a string of ${text.length} characters` : quoteText(text);
}

function isSecretField(path: readonly PropertyKey[]): boolean {
  return findSecretKind(String(path.at(-1))) !== undefined;
}

/** A character at an end of a text that is easily overlooked. */
const BLANK_AT_END = /^[\s\p{Cf}\p{DI}]|[\s\p{Cf}\p{DI}]$/u;

/** For a text that is not too long or too short, but has blanks around it, as copied words have. */
function blankHint({ code, path }: FieldIssue, value: unknown): string {
  const given = findValueAt(value, path);
  if (typeof given !== 'string' || code === 'too_big' || code === 'too_small') return '';
  return BLANK_AT_END.test(given) ? '; remove the blanks around it' : '';
}

/** Why a schema refuses a value, with the code; null if it accepts the value. */
export function whyRefused(schema: z.ZodType, value: unknown): RefusalReason | null {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue === undefined ? null : explainIssue(issue, value, metaAt(schema, []));
}

interface RefusalReason {
  readonly reason: string;
  readonly code: number;
}

function explainIssue(issue: FieldIssue, value: unknown, meta: z.core.GlobalMeta): RefusalReason {
  const code = meta.code ?? CODE.ValidationError;
  if (issue.code === 'custom') {
    const own = issue.params?.['code'] as number | undefined;
    return { reason: issue.message, code: own ?? code };
  }
  const { missingCode = CODE.ValidationError } = meta;
  if (issue.code === 'invalid_type' && lacksMessage(issue.expected, meta)) {
    return { reason: explainWrongType(`an ${issue.expected}`, value), code: missingCode };
  }
  if (value === undefined) return { reason: describeMissingValue(issue, meta), code: missingCode };
  return { reason: explainWrongValue(issue, value, meta), code };
}

/** Whether an object or an array is expected whose schema has no message of its own. */
function lacksMessage(
  expected: string,
  { sample, missing, wrong, expected: ownType }: z.core.GlobalMeta,
): boolean {
  return ['object', 'array'].includes(expected) && (sample ?? missing ?? wrong ?? ownType) === undefined;
}

function describeMissingValue(issue: FieldIssue, { sample, missing }: z.core.GlobalMeta): string {
  return missing ?? (sample === undefined ? issue.message : `is required, for example ${sample}`);
}

function explainWrongValue(issue: FieldIssue, value: unknown, meta: z.core.GlobalMeta): string {
  switch (issue.code) {
    case 'too_big':
      if (typeof value !== 'string') return issue.message;
      return explainTooLong(value, Number(issue.maximum));
    case 'too_small':
      return meta.sample === undefined ? issue.message : describeBlank(meta.sample);
    case 'invalid_value':
      return typeof meta.wrong === 'string' ? meta.wrong : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return describeWrongType(EXPECTED[issue.expected], value, meta, issue.path);
    case 'invalid_union':
      return describeWrongType(undefined, value, meta, issue.path);
    default:
      return issue.message;
  }
}

function describeWrongType(
  type: string | undefined,
  value: unknown,
  { wrong, expected }: z.core.GlobalMeta,
  path: readonly PropertyKey[],
): string {
  if (wrong !== undefined) {
    const shown = isSecretField(path) ? describeType(value) : formatScalar(value);
    return typeof wrong === 'string' ? `${wrong}, not ${shown}` : wrong(shown);
  }
  return explainWrongType(expected ?? type ?? 'another value', value);
}

/** A number or a flag itself; of other values only the kind. */
function formatScalar(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value);
}

function findValueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** The metadata of the schema at a path. An outer schema overrides an inner one. */
export function metaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.GlobalMeta {
  let at: z.core.$ZodType | undefined = schema;
  let depth = 0;
  let meta: z.core.GlobalMeta = {};
  while (at !== undefined) {
    if (depth === path.length) meta = { ...z.globalRegistry.get(at), ...meta };
    const inner = innerOf(at);
    if (inner !== undefined) at = inner;
    else if (depth === path.length) return meta;
    else at = schemaBelow(at, path[depth++] as PropertyKey);
  }
  return meta;
}

/** A schema without its wrappers. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrapped(inner);
}

export function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return def.innerType;
    case 'pipe':
      return def.in;
    case 'lazy':
      return (schema as z.core.$ZodLazy)._zod.innerType;
    default:
      return undefined;
  }
}

function schemaBelow(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'object') return def.shape[String(key)];
  return def.type === 'array' ? def.element : undefined;
}
