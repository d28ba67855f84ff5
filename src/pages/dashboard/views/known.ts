import { store } from '../state/store.js';
import type { PlayedWholeResponse, TriggersResponse } from '../state/wire.js';
import type { DecisionContext } from '../text/why.js';

/** What explains decisions, as far as it has arrived. */
export function readDecisionContext(): DecisionContext {
  return {
    triggers: store.cache.read<TriggersResponse>('/triggers', 'fixed').data,
    scenario: store.cache.read<PlayedWholeResponse>('/scenario').data,
  };
}
