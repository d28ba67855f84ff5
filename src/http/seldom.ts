/** What only some requests need, behind one door: no start pays for it. See control/seldom.ts. */
export { performFault } from './faults.js';
export { Sdk, unknownDialect } from './sdk.js';
