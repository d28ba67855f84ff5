import { findSecretKind, maskSecret } from '../../core/text/secret-fields.js';
import { maskCredentials } from '../../core/text/secrets.js';
import { isObject, parseJson } from '../../core/text/text.js';
import { hideParameters, makeStandIn, standInPan } from '../../journal/mask.js';
import { isOwnText, maskNumber, mayMask, standInAnywhere } from '../../journal/mask-values.js';

/** Where a value is in a stored one. */
interface StoredPlace {
  readonly name: string;
  /** Within a text or an object of the caller's own, such as `Metadata`. */
  readonly isOwn: boolean;
  /** Within a text that is JSON, such as the body of a webhook. */
  readonly isInText: boolean;
}

const OUTSIDE: StoredPlace = { name: '', isOwn: false, isInText: false };

/**
 * A stored value as others may see it: stand-ins in place of card numbers, and no credentials. Numbers stay, because those of records are
 * amounts and instants.
 */
export function replaceSecrets(value: unknown, place = OUTSIDE): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, place));
  const kind = findSecretKind(place.name);
  if (typeof value === 'number' && place.isInText) {
    if (kind !== undefined) return makeStandIn(kind, String(value));
    const isCard = !place.isOwn && maskNumber(String(value)) !== undefined;
    return isCard ? Number(standInPan(String(value))) : value;
  }
  if (typeof value === 'string') {
    // The body of a webhook is masked already.
    if (kind !== undefined && value !== '')
      return maskSecret(kind, value) === value ? value : makeStandIn(kind, value);
    return mayMask(value) ? replaceInText(value, place) : value;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(kind === 'secrets' ? hideParameters(value) : value);
  return Object.fromEntries(
    fields.map(([name, inner]) => [
      name,
      replaceSecrets(inner, { ...place, name, isOwn: place.isOwn || isOwnText(name) }),
    ]),
  );
}

/** Replaces what is secret in a text, and within the fields of one that is JSON, which is JSON afterwards, too. */
function replaceInText(text: string, place: StoredPlace): string {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null)
    return place.isOwn ? maskCredentials(text) : standInAnywhere(text, standInPan);
  const written = JSON.stringify(replaceSecrets(parsed, { ...place, isInText: true }));
  return written === JSON.stringify(parsed) ? text : written;
}
