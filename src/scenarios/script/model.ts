/** The types of scenarios and of what decides a call, for other rooms. Nothing in this room imports it. */
export type { DelaySpec } from '../../core/time/delay.js';
export type { NamedState } from '../file/effects.js';
export type { FaultSpec, EffectPhase } from '../file/fault.js';
export type { Scenario } from '../file/schema.js';
export { type Operation, OPERATIONS } from './operations.js';
export type { ConditionFacts, CallFacts, MatchConditions, ScriptStep, ScriptDecision } from './rule.js';
