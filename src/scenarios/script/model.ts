/** The types of scenarios and of what decides a call, for other rooms. Nothing in this room imports it. */
export type { DelaySpec } from '../../core/time/delay.js';
export type { NamedState } from '../file/effects.js';
export type { Fault, Phase } from '../file/fault.js';
export type { Scenario } from '../file/schema.js';
export { type Operation, OPERATIONS } from './operations.js';
export type { Conditioned, Facts, QueueMatch, Step, Verdict } from './rule.js';
