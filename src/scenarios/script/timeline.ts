import type { Scenario } from '../file/schema.js';
import type { Script } from './script.js';

/** The jobs of a timeline. A job's ref is the index of its entry. */
export const SCENARIO_TIMELINE = 'scenario.timeline';

type TimelineEntry = Scenario['timeline'][number];

export function timelineOf(scenario: Scenario | null): readonly TimelineEntry[] {
  return scenario?.timeline ?? [];
}

export function playTimelineEntry(script: Script, ref: string): void {
  const { providerDown, providerUp, setState } = script.scenario?.timeline[Number(ref)]?.do ?? {};
  if (providerDown !== undefined) script.setProviderDown(providerDown, true);
  if (providerUp !== undefined) script.setProviderDown(providerUp, false);
  if (setState !== undefined) script.setState(setState);
}
