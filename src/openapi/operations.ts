import { SECTIONS as SLICES } from '../sections.js';
import { JOURNAL, SCRIPT, SNAPSHOTS, WORLD } from './control-operations.js';
import { LOOKING_ON } from './looking-operations.js';
import type { Section } from './operation.js';
import { PAGES } from './page-operations.js';
import { CUSTOMERS, PAYMENT_METHODS } from './person-operations.js';
import { TOKENS, VAULT } from './vault-operations.js';

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [
  ...SLICES.slice(0, 1),
  CUSTOMERS,
  PAYMENT_METHODS,
  VAULT,
  TOKENS,
  ...SLICES.slice(1),
  WORLD,
  SCRIPT,
  JOURNAL,
  SNAPSHOTS,
  LOOKING_ON,
  PAGES,
];

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
