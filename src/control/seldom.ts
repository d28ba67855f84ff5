/**
 * What few calls need, behind one door: it is loaded at the first of them, and no start pays for it. One
 * door, because the bundler cuts what several doors share into ever more files, and each file costs the start.
 */
export { publishedTriggers } from '../outcomes/published.js';
export { parseScenario } from '../scenarios/schema.js';
export { definitionOf, WHOLE } from '../scenarios/definition.js';
export { Seeder } from '../seeding/seeder.js';
export { diffSnapshot } from './snapshots/diff.js';
export { exportJournal, harEntry } from './journal/export.js';
export { presentAll } from './journal/presenter.js';
export { namedScenario } from './scenario/named-scenario.js';
export { settleWorld } from './webhooks/settle.js';
export { readState } from './snapshots/state-read.js';
export { writeState } from './snapshots/state-write.js';
export { restoreInTurns } from '../restore.js';
