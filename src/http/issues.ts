import type * as z from 'zod';

import { ApiError, CODE } from '../core/errors.js';
import { sentence } from '../core/sentence.js';

/** Members that have a code of their own when they are missing or of a wrong kind. */
const CODE_BY_MEMBER: Readonly<Record<string, number>> = {
  PaymentInformation: CODE.InvalidPaymentInformation,
};

function codeOf(issue: z.core.$ZodIssue): number {
  const own: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  if (typeof own === 'number') return own;
  return CODE_BY_MEMBER[String(issue.path[0])] ?? CODE.ValidationError;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? `is required, as an ${issue.expected}`
      : `must be an ${issue.expected}`;
  return issue.message;
}

/**
 * The refusal for what zod found wrong: the code of the first member that is wrong, and every wrong member
 * with its reason in the details.
 */
export function membersRefused(issues: readonly z.core.$ZodIssue[]): ApiError {
  const details: Record<string, string> = {};
  for (const issue of issues) details[issue.path.map(String).join('.') || 'body'] ??= reasonOf(issue);
  const detail = Object.entries(details)
    .map(([name, reason]) => `${name} ${reason}`)
    .join('; ');
  const [first] = issues;
  return new ApiError({
    code: first ? codeOf(first) : CODE.ValidationError,
    detail: sentence(detail),
    details,
  });
}
