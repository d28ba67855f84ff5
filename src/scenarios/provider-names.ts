import { bareProviderId } from '../providers/record.js';
import { BUILT_IN_PROVIDERS, DEFAULT_PROVIDER_ID, isProviderId } from '../outcomes/built-in.js';

/** The providers that a scenario may name: their ProviderIds by their names. */
export type ProviderNames = ReadonlyMap<string, string>;

export const BUILT_IN_NAMES: ProviderNames = new Map(
  BUILT_IN_PROVIDERS.map(({ name, providerId }) => [name, providerId]),
);

/** The built-in providers and those that a file brings along; read before the file is checked, since its rules name them. */
export function namesIn(file: unknown): ProviderNames {
  const brought = fieldsOf(file)['providers'];
  if (!Array.isArray(brought)) return BUILT_IN_NAMES;
  const names = new Map(BUILT_IN_NAMES);
  for (const one of brought as readonly unknown[]) {
    const { name, providerId } = fieldsOf(one);
    if (typeof name !== 'string' || names.has(name)) continue;
    const isId = typeof providerId === 'string' && isProviderId(providerId);
    // A provider without a good id is a fault of its own: who names it is not at fault as well.
    names.set(name, isId ? bareProviderId(providerId) : DEFAULT_PROVIDER_ID);
  }
  return names;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
