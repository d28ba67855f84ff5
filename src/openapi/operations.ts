import { SECTIONS as SLICES } from '../sections.js';
import { JOURNAL, SCRIPT, SNAPSHOTS, WORLD } from './control-operations.js';
import { LOOKING_ON } from './looking-operations.js';
import type { Section } from './operation.js';
import { PAGES } from './page-operations.js';

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [...SLICES, WORLD, SCRIPT, JOURNAL, SNAPSHOTS, LOOKING_ON, PAGES];

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
