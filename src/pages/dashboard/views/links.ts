import { sandboxHome } from '../../home.js';
import { viewHref } from '../state/route.js';
import { capitalise } from '../text/format.js';
import type { LinkOf } from '../text/sentence.js';
import { KINDS } from './records/kinds.js';

/** Fields that lead to something else than the record of an identifier. */
const OTHERS: Readonly<Record<string, (value: string) => string>> = {
  Rule: () => viewHref('scenario'),
  Magic: (value) => viewHref('cards', null, { Search: value }),
  Code: (value) => `${sandboxHome()}/_sandbox/errors#${value}`,
  Reference: (value) => viewHref('orders', value),
  DeliveryId: (value) => viewHref('webhooks', null, { open: value }),
  ThreeDsRedirectUrl: (value) => value,
  RedirectUrl: (value) => value,
};

/** Where the value of a field leads: to its record, its error code, its rule. Messages of webhooks have their fields in camelCase. */
export const linkOf: LinkOf = (field, value) => {
  const name = capitalise(field);
  const kind = KINDS.find(({ idName }) => idName === name);
  if (kind !== undefined) return /^[0-9a-f-]{32,36}$/.test(value) ? viewHref(kind.view, value) : null;
  return value === '' ? null : (OTHERS[name]?.(value) ?? null);
};
