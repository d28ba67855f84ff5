import { homeOf } from '../../home.js';
import { hrefOf } from '../state/route.js';
import { capital } from '../text/format.js';
import type { LinkOf } from '../text/said.js';
import { KINDS } from './records/kinds.js';

/** Fields that lead to something else than the record of an identifier. */
const OTHERS: Readonly<Record<string, (value: string) => string>> = {
  Rule: () => hrefOf('scenario'),
  Magic: (value) => hrefOf('cards', null, { Search: value }),
  Code: (value) => `${homeOf()}/_sandbox/errors#${value}`,
  Reference: (value) => hrefOf('calls', null, { Search: value }),
  DeliveryId: (value) => hrefOf('webhooks', null, { open: value }),
  ThreeDsRedirectUrl: (value) => value,
  RedirectUrl: (value) => value,
};

/** Where the value of a field leads: to its record, its error code, its rule. Messages of webhooks have their fields in camelCase. */
export const linkOf: LinkOf = (field, value) => {
  const name = capital(field);
  const kind = KINDS.find(({ idName }) => idName === name);
  if (kind !== undefined) return /^[0-9a-f-]{32,36}$/.test(value) ? hrefOf(kind.view, value) : null;
  return value === '' ? null : (OTHERS[name]?.(value) ?? null);
};
