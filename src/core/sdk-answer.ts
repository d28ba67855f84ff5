import { isObject } from './text.js';
import { ABSENT_MEMBERS, ANSWER_WORDS, OWN_MAPS } from './sdk-tables.js';

/**
 * An answer in the spelling of client libraries: names begin with a small letter at every depth, keys of somebody's
 * own maps stay as they are. The value itself is not changed.
 */
export function toSdk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSdk);
  if (typeof value !== 'object' || value === null) return value;
  const spelt: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    spelt[sdkName(name)] = OWN_MAPS.has(name) ? inner : (sdkWord(name, inner) ?? toSdk(inner));
    for (const [absent, stand] of ABSENT_MEMBERS.get(name) ?? []) spelt[sdkName(absent)] ??= stand;
  }
  const { paymentInformation, provider } = spelt;
  if (isObject(paymentInformation)) spelt['paymentInformation'] = paymentOf(paymentInformation, provider);
  return spelt;
}

/** The payment of a charge: client libraries look there, too, for the type of its provider. */
function paymentOf(payment: object, provider: unknown): object {
  const type = isObject(provider) && 'type' in provider ? provider.type : null;
  return { ...payment, displayType: null, providerType: type };
}

export function sdkName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function sdkWord(name: string, value: unknown): string | undefined {
  return typeof value === 'string' ? ANSWER_WORDS.get(name)?.get(value) : undefined;
}
