import type { Scenario, TimelineAction, TimelineEntry } from './model.js';
import type { Script } from './script.js';

/** The kind of the jobs that play a timeline; a job's ref is the entry's index in the scenario's timeline, as text. */
export const SCENARIO_TIMELINE = 'scenario.timeline';

/** What has to be scheduled when a world switches to a scenario, in the order of the file. */
export function timelineOf(scenario: Scenario | null): readonly TimelineEntry[] {
  return scenario?.timeline ?? [];
}

/** Does what a timeline says at one of its instants. */
export function applyTimelineAction(script: Script, action: TimelineAction): void {
  switch (action.kind) {
    case 'providerDown':
      return script.setProviderDown(action.providerId, true);
    case 'providerUp':
      return script.setProviderDown(action.providerId, false);
    case 'setState':
      return script.setState(action.state);
  }
}

/** Plays the entry that a job refers to in the script's own scenario; one that it does not have is no entry. */
export function playTimelineEntry(script: Script, ref: string): void {
  const entry = script.scenario?.timeline[Number(ref)];
  if (entry !== undefined) applyTimelineAction(script, entry.action);
}
