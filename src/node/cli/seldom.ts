/** What only some starts and all other verbs need, behind one door; see control/seldom.ts. */
export { chooseScenario, UnreadableFile } from './check.js';
export { runExec } from '../exec/exec.js';
export { httpsOptions } from '../tls/https-options.js';
export { isOptionFault, listenFault } from '../http/listen-fault.js';
export { openBundle } from '../replay/open.js';
export { Deliverer } from '../webhooks/deliverer.js';
export { requestLog } from '../http/request-log.js';
export { runVerb } from './run-verb.js';
export { startNote } from './start-note.js';
export { isFileFault, takeState } from '../state/state-file.js';
export { terminalProgress } from './terminal-progress.js';
export { watchScenario } from './watch.js';
