/** The operations of this room as one module: each module that is loaded by itself costs a start another file. */
export { branchBefore } from './branch.js';
export { openFile } from './open.js';
