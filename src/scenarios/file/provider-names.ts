import { bareProviderId } from '../../records/provider.js';
import { isUuid } from '../../core/text/text.js';
import { BUILT_IN_PROVIDERS, DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';

/** The ProviderIds, by name, of the providers that a scenario can refer to. */
export type ProviderNames = ReadonlyMap<string, string>;

export const BUILT_IN_NAMES: ProviderNames = new Map(
  BUILT_IN_PROVIDERS.map(({ name, providerId }) => [name, providerId]),
);

/** The built-in providers and those of a file. Read before the file is validated, because its rules refer to them. */
export function readProviderNames(file: unknown): ProviderNames {
  const own = fieldsIn(file)['providers'];
  if (!Array.isArray(own)) return BUILT_IN_NAMES;
  const names = new Map(BUILT_IN_NAMES);
  for (const entry of own as readonly unknown[]) {
    const { name, providerId } = fieldsIn(entry);
    if (typeof name !== 'string' || names.has(name)) continue;
    const isId = typeof providerId === 'string' && isUuid(providerId);
    // A provider with an invalid id is reported once, and not again wherever a rule refers to it.
    names.set(name, isId ? bareProviderId(providerId) : DEFAULT_PROVIDER_ID);
  }
  return names;
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
