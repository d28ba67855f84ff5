import { ABSENT_FIELDS, ANSWER_WORDS, OWN_MAPS } from '../../../src/core/dialect/sdk.js';

/** The sdk dialect, seen from the documented one. */

/** A request's members in camelCase; maps keep their keys. */
export function camelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      OWN_MAPS.has(name) ? one : camelled(one),
    ]),
  );
}

/** Fields of the sdk dialect alone that have a value where the world knows one. */
const FILLED = new Set(['IinData']);

const WORDS = new Map(
  [...ANSWER_WORDS].map(([name, words]) => [name, new Map([...words].map(([from, to]) => [to, from]))]),
);

/** An answer of the sdk dialect as the documented one would have written it; whatever is otherwise stays so. */
export function documented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documented);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => {
    if (/^[A-Z]/.test(name)) throw new Error(`The sdk dialect has a member ${name}`);
    return [name.charAt(0).toUpperCase() + name.slice(1), one as unknown] as const;
  });
  const names = new Set(members.map(([name]) => name));
  const absent = new Map([...ABSENT_FIELDS].flatMap(([tells, rest]) => (names.has(tells) ? rest : [])));
  return Object.fromEntries(
    members.flatMap(([name, one]) => {
      if (absent.get(name) === one && !ABSENT_FIELDS.has(name)) return [];
      if (absent.has(name) && FILLED.has(name)) return [];
      if (OWN_MAPS.has(name)) return [[name, one]];
      if (name === 'PaymentInformation') return [[name, withoutProvider(documented(one) as object)]];
      const word = typeof one === 'string' ? WORDS.get(name)?.get(one) : undefined;
      return [[name, word ?? documented(one)]];
    }),
  );
}

/** A payment without what the sdk dialect repeats there of its provider. */
function withoutProvider(payment: object): object {
  const { DisplayType, ProviderType, ...rest } = payment as Record<string, unknown>;
  if (typeof DisplayType !== 'string' || typeof ProviderType !== 'string') {
    throw new Error('The payment of a charge does not say its provider');
  }
  return rest;
}
