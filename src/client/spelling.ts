/**
 * The control plane speaks PascalCase, a program camelCase. Only its own members are respelt: what belongs to the service's
 * wire, or to the caller, stays as it is.
 */

/** Members whose content is not the control plane's own, by their names on the wire. */
const FOREIGN = new Set([
  'Body',
  'Definition',
  'PaymentInformation',
  'RequestBody',
  'RequestHeaders',
  'ResponseBody',
  'State',
]);

/** What a program gave, as the control plane reads it; a Date becomes its instant. */
export function toWire(value: unknown): unknown {
  return respelt(value, (name) => name.charAt(0).toUpperCase() + name.slice(1));
}

/** What the control plane answered, as a program reads it. */
export function fromWire(value: unknown): unknown {
  return respelt(value, (name) => name.charAt(0).toLowerCase() + name.slice(1));
}

function respelt(value: unknown, respell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => respelt(item, respell));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isForeign = FOREIGN.has(name) || FOREIGN.has(respell(name));
      return [respell(name), isForeign ? member : respelt(member, respell)];
    }),
  );
}
