import { CODE } from '../../core/errors.js';
import { isObject } from '../../core/text/text.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';
import type { Contract, DescribedCall } from './contract.js';
import type { ObservedCall } from './observed-call.js';
import { readBodyField } from './stand-in-records.js';

/** The parts of an answer that come from the account, and not from the contract of the service. */

/** Why the answer of the service says nothing about its contract; null if it does. */
export function whyNotCompared({ status, lost }: Pick<ObservedCall, 'status' | 'lost'>): string | null {
  if (lost !== null) return `its answer was lost (${lost})`;
  if (status === 429) return 'the service had too many calls';
  if (status >= 500) return `the service failed with ${status}`;
  return null;
}

/** The outcome that makes a provider of the fresh world answer as that of the service did; null if the service asked none. */
export function imposeOutcome({
  status,
  code,
  answer,
}: Pick<ObservedCall, 'status' | 'code' | 'answer'>): string | null {
  const word = isObject(answer) ? readBodyField(answer, 'Status') : null;
  // The payer has yet to decide, not the provider.
  if (status < 400) return word === 'PENDING_CHECKOUT' ? null : 'approve';
  return findOutcomeName(code);
}

/** The first outcome with an error code. */
function findOutcomeName(code: number | null): string | null {
  return [...OUTCOMES.values()].find((outcome) => code !== null && outcome.code === code)?.name ?? null;
}

/** Whether playmoney itself refuses the call with this code, so that the account has no part in it. */
export function isOwnRefusal({ row }: DescribedCall, code: number | null, contract: Contract): boolean {
  if (code === null || code === CODE.ValidationError) return true;
  return contract.listStatusesOfCode(row, code).length > 0 && findOutcomeName(code) === null;
}
