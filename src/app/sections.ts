import { JOURNAL } from '../control/journal/routes.js';
import { PAGES } from '../control/pages/routes.js';
import { OBSERVING } from '../control/records/routes.js';
import { WORLD } from '../control/routes.js';
import { SCRIPT } from '../control/scenario/routes.js';
import { SNAPSHOTS } from '../control/snapshots/routes.js';
import type { Section } from '../http/route.js';
import { SERVICE_SECTIONS } from '../resources/sections.js';

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [
  ...SERVICE_SECTIONS,
  WORLD,
  SCRIPT,
  JOURNAL,
  SNAPSHOTS,
  OBSERVING,
  PAGES,
];

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
