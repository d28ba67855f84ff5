import { optionalFlag, optionalMetadata, providerId, text } from './fields.js';

/** The members that name a source by what its provider calls it. */
export const providerTokenMembers = {
  ProviderId: providerId(),
  ProviderToken: text('"pm_1a2b3c"'),
  ProviderTokenData: optionalMetadata(),
  // The provider is asked in any case.
  Verify: optionalFlag(),
};
