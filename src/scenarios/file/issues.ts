import type * as z from 'zod';

import { findNearest, suggest } from '../../core/text/nearest.js';
import { REQUIRED, quoteInput } from './field.js';

export interface ScenarioIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Whether the name of the field is wrong, and not its value. */
  readonly isKey: boolean;
}

interface UnknownName {
  /** The place of the object that has the unknown field. */
  readonly parent: string;
  /** The known field that was probably meant. */
  readonly meant: string | undefined;
}

/** Where an issue is: the names and places that lead to it. */
export type IssuePath = readonly (string | number)[];
type SchemaIssue = z.core.$ZodIssue;

interface FoundIssue extends ScenarioIssue {
  /** Whether the fields are valid by themselves, but not together. */
  readonly isTogether: boolean;
}

/** How many issues are reported at most: our own limit. */
const ISSUES_MAX = 100;

export function scenarioIssues(issues: readonly SchemaIssue[]): ScenarioIssue[] {
  const unknown: UnknownName[] = [];
  const found: FoundIssue[] = [];
  for (const issue of issues) {
    if (found.length >= ISSUES_MAX) break;
    found.push(...collectIssues(issue, [], unknown).slice(0, ISSUES_MAX - found.length));
  }
  return found
    .filter((one) => !unknown.some((name) => followsFromUnknown(one, name)))
    .map(({ path, message, isKey }) => ({ path, message, isKey }));
}

/** A misspelled field is reported once, and not again as a missing one or because others require it. */
function followsFromUnknown(
  { path, message, isTogether }: FoundIssue,
  { parent, meant }: UnknownName,
): boolean {
  const above = placeKey(path.slice(0, -1));
  if (isTogether) return parent === placeKey(path) || parent === above;
  return meant !== undefined && path.at(-1) === meant && parent === above && message.includes(` ${REQUIRED}`);
}

function collectIssues(issue: SchemaIssue, before: IssuePath, unknown: UnknownName[]): readonly FoundIssue[] {
  const path = [...before, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, ISSUES_MAX);
    return keys.map((key) => unknownField(key, path, issue.message, unknown));
  }
  if (issue.code === 'invalid_union') {
    const branch = findMeantBranch(issue.errors);
    if (branch !== null) return branch.flatMap((inner) => collectIssues(inner, path, unknown));
  }
  const params = issue.code === 'custom' ? issue.params : undefined;
  const isKey = params?.['isKey'] === true;
  const label = isKey ? quoteInput(pathLabel(path)) : pathLabel(path);
  return [{ path, isKey, isTogether: params?.['isTogether'] === true, message: `${label} ${issue.message}` }];
}

/** The schema's own message for unknown fields lists the known ones. */
function unknownField(key: string, parent: IssuePath, known: string, unknown: UnknownName[]): FoundIssue {
  const [meant] = findNearest(key, known.split(', '), 1);
  unknown.push({ parent: placeKey(parent), meant });
  const where = parent.length === 0 ? 'a scenario' : pathLabel(parent);
  const message = `${quoteInput(key)} is not a field of ${where}. Fields: ${known}${suggest(meant)}`;
  return { path: [...parent, key], isKey: true, isTogether: false, message };
}

/** The branch of a union for this kind of value, which the author probably meant. */
function findMeantBranch(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] | null {
  return branches.find((issues) => issues.length > 0 && issues.every((issue) => !isOtherKind(issue))) ?? null;
}

function isOtherKind(issue: SchemaIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return findMeantBranch(issue.errors) === null;
  if (issue.code === 'invalid_type' && STRUCTURES.includes(issue.expected)) return true;
  return issue.code.startsWith('invalid_') && typeof issue.input === 'object' && issue.input !== null;
}

const STRUCTURES: readonly string[] = ['object', 'array', 'record'];

function placeKey(path: IssuePath): string {
  return JSON.stringify(path);
}

/** The last name of a path with the list indexes after it, such as `operation[1]`. */
export function pathLabel(path: IssuePath): string {
  const nameAt = path.findLastIndex((part) => typeof part === 'string');
  const name = nameAt < 0 ? 'the scenario' : String(path[nameAt]);
  return path.slice(nameAt + 1).reduce<string>((label, index) => `${label}[${index}]`, name.slice(0, 64));
}
