import { nearest } from '../core/nearest.js';
import { OPERATIONS } from './operations.js';

/** What an operation may be, for somebody who wrote another one: what was probably meant first, and only those akin to it. */
export function operationHint(given: string): string {
  const [near] = nearest(given, OPERATIONS, 1);
  const resource = resourceOf(near ?? given);
  const akin = OPERATIONS.filter((one) => resourceOf(one) === resource);
  if (akin.length === 0) return `it takes one of ${OPERATIONS.join(', ')}`;
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  return `${meant}${meant === '' ? 'of' : 'Of'} ${resource} it takes ${akin.join(', ')}`;
}

function resourceOf(operation: string): string {
  return operation.slice(0, Math.max(0, operation.indexOf('.')));
}
