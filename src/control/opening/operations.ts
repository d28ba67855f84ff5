/** Rare operations on calls and files, as one module: each module that is loaded by itself costs a start another file. */
export { repeatEntry } from '../journal/repeat.js';
export { branchBefore } from './branch.js';
export { findBranchStart } from './branch-start.js';
export { openFile } from './open.js';
