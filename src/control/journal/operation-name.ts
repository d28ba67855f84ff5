import { quoted } from '../../core/text.js';
import { operationHint } from '../../scenarios/operation-hint.js';
import { type Operation, OPERATIONS } from '../../scenarios/operations.js';
import { Fault, kindOf } from '../../http/fields.js';

/** An operation by its name; a mistyped one would be queued for, counted or waited for in vain. */
export function readOperation(value: unknown): Operation | Fault {
  const known = OPERATIONS.find((one) => one === value);
  if (known !== undefined) return known;
  const given = typeof value === 'string' ? value : '';
  const shown = typeof value === 'string' ? quoted(value) : kindOf(value);
  return new Fault(`is ${shown}; ${operationHint(given)}`);
}
