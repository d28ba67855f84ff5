import type { $ZodType } from 'zod/v4/core';
import * as z from 'zod';

import { CODE, requireErrorRow } from '../core/errors.js';
import { OPERATION_ROWS } from '../app/sections.js';
import { type AnyRow, isControl } from '../http/route.js';
import { DECLINED_STATUS, OUTCOMES } from '../outcomes/outcomes.js';
import { listErrorCodes } from './request-fields.js';

type StatusAndCode = readonly [httpStatus: number, code: number];

/** The codes of all declines of providers. */
const DECLINES: readonly number[] = [...OUTCOMES.values()].flatMap(({ code }) => code ?? []);

/** The refusals of any call. */
function listCommonRefusals(row: AnyRow): StatusAndCode[] {
  // For invalid values of the headers that every call accepts.
  const all: StatusAndCode[] = [
    [400, CODE.ValidationError],
    [403, CODE.ValidationError],
  ];
  // 409: a limit of the sandbox is reached, such as the number of its worlds.
  if (row.access !== 'open')
    all.push([401, CODE.InvalidAuthentication], [409, CODE.ValidationError], [503, CODE.RetryLater]);
  // Calls without a body check that none was sent.
  if (row.method === 'delete' || (isControl(row) && row.method !== 'get'))
    all.push([413, CODE.ValidationError], [415, CODE.ValidationError]);
  if (isCutOff(row)) all.push([405, CODE.ValidationError]);
  if (isControl(row)) all.push([403, CODE.InvalidAuthentication]);
  else all.push([429, CODE.RateLimitingApplied]);
  return all;
}

/** Whether a fixed word in place of the identifier is another path that lacks the method, such as GET /charge/card. */
function isCutOff({ method, path }: AnyRow): boolean {
  const alike = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{]+')}$`);
  const fixed = OPERATION_ROWS.filter((row) => row.path !== path && alike.test(row.path));
  return fixed.some((row) => !fixed.some((other) => other.path === row.path && other.method === method));
}

function listBodyRefusals(body: $ZodType): StatusAndCode[] {
  const refused = listErrorCodes(body).map((code) => [requireErrorRow(code).httpStatus, code] as const);
  const { ValidationError: code } = CODE;
  return [[413, code], [415, code], ...refused];
}

function listQueryRefusals(query: $ZodType): StatusAndCode[] {
  return listErrorCodes(query).map((code) => [requireErrorRow(code).httpStatus, code] as const);
}

/** All refusals of an operation: the codes of each HTTP status, both in ascending order. */
export function listRefusals(row: AnyRow): Map<number, readonly number[]> {
  const own = (row.errors ?? []).map((refused): StatusAndCode =>
    typeof refused === 'number' ? [requireErrorRow(refused).httpStatus, refused] : [refused[1], refused[0]],
  );
  const all = [
    ...listCommonRefusals(row),
    ...(row.body === undefined ? [] : listBodyRefusals(row.body)),
    ...(row.query === undefined ? [] : listQueryRefusals(row.query)),
    ...(row.asksProvider ? DECLINES.map((code) => [DECLINED_STATUS, code] as const) : []),
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

/** The body of a refusal. Some calls add fields to it, which they describe. */
export const ErrorSchema = z.looseObject({
  HttpStatus: z.int(),
  Code: z.int().describe('The error code. GET /_sandbox/errors lists all of them.'),
  Type: z.string().describe('A link to the explanation of the code.'),
  Message: z
    .string()
    .describe(
      'Starts with the standard message of the code, followed by what was refused and what is accepted.',
    ),
  Resource: z.string().nullable().describe('The path that was called.'),
  Details: z
    .record(z.string(), z.string().nullable())
    .nullable()
    .describe(
      'The reasons, by field name. For a decline: Email, PaymentType, for a card also Cardholder, ExpiryDate and CardType, and the gateway’s response under its code.',
    ),
  IsRetryable: z.boolean().describe('Whether the same request may succeed later.'),
  GatewayCode: z.string().nullable().describe('The response code of the gateway.'),
  GatewayMessage: z.string().nullable(),
  ChargeId: z.string().optional().describe('The charge that was stored with the status FAILED.'),
});

/** The error responses. Those with the same status and codes share a component. */
export class ErrorResponses {
  readonly #components = new Map<string, object>();

  /** References to the error responses of an operation, by HTTP status. */
  referToResponses(row: AnyRow): Record<string, object> {
    return Object.fromEntries(
      [...listRefusals(row)].map(([status, codes]) => [
        String(status),
        { $ref: `#/components/responses/${this.#named(status, codes)}` },
      ]),
    );
  }

  components(): Record<string, object> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #named(status: number, codes: readonly number[]): string {
    const { own, mayDecline } = splitCodes(codes);
    const name = `E${[status, ...own, ...(mayDecline ? ['decline'] : [])].join('_')}`;
    this.#components.set(name, buildErrorResponse(status, codes));
    return name;
  }
}

/** The codes of an operation apart from declines, which are described once for all operations. */
function splitCodes(codes: readonly number[]): { own: readonly number[]; mayDecline: boolean } {
  const mayDecline = DECLINES.every((code) => codes.includes(code));
  return { own: mayDecline ? codes.filter((code) => !DECLINES.includes(code)) : codes, mayDecline };
}

/** The codes with which a provider declines or fails. */
export const DeclineCode = z.literal([...DECLINES]).describe(describeCodes(DECLINES));

function describeCodes(codes: readonly number[]): string {
  return codes.map((code) => `${code} ${requireErrorRow(code).message}`).join('; ');
}

function errorContent(codes: readonly number[]): object {
  const { own, mayDecline } = splitCodes(codes);
  const decline = { $ref: '#/components/schemas/DeclineCode' };
  const Code = mayDecline ? { anyOf: [{ enum: own }, decline] } : { enum: own };
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { Code } }],
  };
  return { 'application/json': { schema } };
}

const ALLOW = {
  description: 'The methods of the path. Fixed words of a path, such as /charge/card, are no identifiers.',
  schema: { type: 'string' },
};

function buildErrorResponse(status: number, codes: readonly number[]): object {
  const { own, mayDecline } = splitCodes(codes);
  return {
    description: describeCodes(own) + (mayDecline ? '; or a decline (DeclineCode)' : ''),
    ...(status === 405 ? { headers: { Allow: ALLOW } } : {}),
    content: errorContent(codes),
  };
}
