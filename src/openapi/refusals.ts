import type { $ZodType } from 'zod/v4/core';

import { CODE, errorRow } from '../core/errors.js';
import { OUTCOMES } from '../outcomes/outcomes.js';
import { isControl } from '../http/route.js';
import type { OperationRow } from './operation.js';
import { codesOf } from './request-fields.js';

/** A refusal: its HTTP status and its code. */
export type StatusAndCode = readonly [httpStatus: number, code: number];

const DECLINES: readonly StatusAndCode[] = [...OUTCOMES.values()].flatMap(({ code, httpStatus }) =>
  code === null ? [] : [[httpStatus, code] as const],
);

/** What any call may be refused with. */
function everywhere(row: OperationRow): StatusAndCode[] {
  // The headers that every call takes may hold what they should not.
  const all: StatusAndCode[] = [
    [400, CODE.ValidationError],
    [403, CODE.ValidationError],
  ];
  if (row.access !== 'open') all.push([401, CODE.InvalidAuthentication], [503, CODE.RetryLater]);
  // Calls that take no body look whether one was sent all the same.
  if (row.method === 'delete' || (isControl(row) && row.method !== 'get'))
    all.push([413, CODE.ValidationError], [415, CODE.ValidationError]);
  if (isControl(row)) all.push([403, CODE.InvalidAuthentication]);
  else all.push([429, CODE.RateLimitingApplied]);
  return all;
}

function ofBody(body: $ZodType): StatusAndCode[] {
  const refused = codesOf(body).map((code) => [errorRow(code).httpStatus, code] as const);
  const { ValidationError: code } = CODE;
  return [[413, code], [415, code], ...refused];
}

function ofQuery(query: $ZodType): StatusAndCode[] {
  return codesOf(query).map((code) => [errorRow(code).httpStatus, code] as const);
}

/** All that an operation may be refused with: the codes of each HTTP status, both in ascending order. */
export function refusalsOfOperation(row: OperationRow): Map<number, readonly number[]> {
  const own = (row.errors ?? []).map((refused): StatusAndCode =>
    typeof refused === 'number' ? [errorRow(refused).httpStatus, refused] : [refused[1], refused[0]],
  );
  const all = [
    ...everywhere(row),
    ...(row.body === undefined ? [] : ofBody(row.body)),
    ...(row.query === undefined ? [] : ofQuery(row.query)),
    ...(row.asksProvider ? DECLINES : []),
    ...own,
  ];
  const statuses = [...new Set(all.map(([status]) => status))].toSorted((a, b) => a - b);
  return new Map(
    statuses.map((status) => {
      const codes = all.flatMap(([at, code]) => (at === status ? [code] : []));
      return [status, [...new Set(codes)].toSorted((a, b) => a - b)];
    }),
  );
}
