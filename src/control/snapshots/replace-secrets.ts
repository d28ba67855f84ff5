import { findSecretKind } from '../../core/text/secret-fields.js';
import { maskCredentials } from '../../core/text/secrets.js';
import { isObject } from '../../core/text/text.js';
import { hideParameters, makeStandIn, standInPan } from '../../journal/mask.js';
import { isOwnText, mayMask, standInAnywhere } from '../../journal/mask-values.js';

/**
 * A stored value as others may see it: stand-ins in place of card numbers, and no credentials. Numbers stay, because those of records are
 * amounts and instants.
 */
export function replaceSecrets(value: unknown, name = '', isOwn = false): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, name, isOwn));
  const kind = findSecretKind(name);
  if (typeof value === 'string') {
    if (kind !== undefined && value !== '') return makeStandIn(kind, value);
    if (!mayMask(value)) return value;
    return isOwn ? maskCredentials(value) : standInAnywhere(value, standInPan);
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(kind === 'secrets' ? hideParameters(value) : value);
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, replaceSecrets(inner, field, isOwn || isOwnText(field))]),
  );
}
