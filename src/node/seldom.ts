/** What only some starts and all other verbs need, behind one door; see control/seldom.ts. */
export { FURTHER_JOB_HANDLERS } from '../further-jobs.js';
export { chooseScenario, UnreadableFile } from './check.js';
export { runExec } from './exec.js';
export { httpsOptions } from './https-options.js';
export { isOptionFault, listenFault } from './listen-fault.js';
export { openBundle } from './open.js';
export { Deliverer } from './deliverer.js';
export { requestLog } from './request-log.js';
export { runVerb } from './run-verb.js';
export { startNote } from './start-note.js';
export { isFileFault, takeState } from './state-file.js';
export { terminalProgress } from './terminal-progress.js';
export { watchScenario } from './watch.js';
