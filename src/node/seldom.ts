/** What only some starts and verbs need, behind one door; see control/seldom.ts. */
export { checkFiles, chooseScenario, problemLines, readText } from './check.js';
export * from './client-verbs.js';
export { requestLog } from './request-log.js';
export { startNote } from './start-note.js';
export { triggersText } from './triggers.js';
export * from './watch.js';
