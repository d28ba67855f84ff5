import { store } from '../state/store.js';
import type { PlayedWholeResponse, TriggersResponse } from '../state/wire.js';
import type { DecisionContext } from '../text/why.js';

/** Reads the triggers and the scenario, as far as they have arrived. */
export function readDecisionContext(): DecisionContext {
  return {
    triggers: store.cache.read<TriggersResponse>('/triggers', 'fixed').data,
    scenario: store.cache.read<PlayedWholeResponse>('/scenario').data,
  };
}
