import { optionalFlag, optionalMetadata, providerId, text } from './fields.js';

/** The fields that name a source by what its provider calls it. */
export const providerTokenFields = () => ({
  ProviderId: providerId(),
  ProviderToken: text('"pm_1a2b3c"').describe('What the provider calls the source.'),
  ProviderTokenData: optionalMetadata().describe('What the provider says of the source.'),
  // The provider is asked in any case.
  Verify: optionalFlag().describe('Taken: the provider is asked in any case.'),
});
