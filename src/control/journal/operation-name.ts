import { operationHint } from '../../scenarios/operation-hint.js';
import { type Operation, OPERATIONS } from '../../scenarios/operations.js';
import { Fault, kindOf } from '../../http/fields.js';

/** How much of a wrong name a message shows. */
const SHOWN_MAX = 40;

/** An operation by its name; a mistyped one would be queued for, counted or waited for in vain. */
export function readOperation(value: unknown): Operation | Fault {
  const known = OPERATIONS.find((one) => one === value);
  if (known !== undefined) return known;
  const given = typeof value === 'string' ? value : '';
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_MAX)) : kindOf(value);
  return new Fault(`is ${shown}; ${operationHint(given)}`);
}
