import { createContext, useContext } from 'hono/jsx/dom';

import type { Store } from './store.js';

export const StoreContext = createContext<Store | null>(null);

/** What the page knows, for any part of it. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('Failed to find the store: the part stands outside the dashboard.');
  return store;
}
