import { CODE, refuse } from '../core/errors.js';
import { providerFeatures } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import { type ConfiguredProvider, type ProviderFeatures } from './record.js';

/** What operations that ask a provider need to know of it. */

/** The configured provider that a new call goes to, null for any other; a removed one: 400 with code 39. */
export function openProvider(world: World, providerId: string): ConfiguredProvider | null {
  const provider = world.providers.named(providerId);
  if (provider !== null && provider.dateRemoved !== null) {
    refuse(CODE.InvalidProviderId, `The provider ${providerId} was removed; configure another one.`, {
      details: { ProviderId: 'was removed' },
    });
  }
  return provider;
}

/** What the provider of a well-formed id is able to do. */
export function featuresOf(provider: ConfiguredProvider | null, providerId: string): ProviderFeatures {
  return provider?.behaviour.features ?? providerFeatures(providerId);
}
