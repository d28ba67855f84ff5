import { DELAY_MS_MAX, type DelaySpec, SIGMA_MAX } from '../core/time/delay.js';
import { listRecords, allRecords } from '../core/store/search.js';
import { Table } from '../core/store/store.js';
import { isObject } from '../core/text/text.js';
import * as field from '../core/store/field.js';

const COUNT_MAX = 1_000_000_000;

const delayMs = field.number(0, DELAY_MS_MAX);
const delayed = field.variants('kind', {
  fixed: { ms: delayMs },
  uniform: { minMs: delayMs, maxMs: delayMs },
  lognormal: { medianMs: delayMs, sigma: field.number(0, SIGMA_MAX) },
});
const delay: field.Codec<DelaySpec> = {
  // Refuses a value that is not an object for its missing Kind.
  read: (value) => delayed.read(isObject(value) ? value : {}),
  write: delayed.write,
};

const featuresCodec = field.record({
  /** `false`: it refuses `Capture: false` (code 71). */
  authorise: field.flag,
  /** `false`: it refuses captures of less than the authorisation (code 78). */
  partialCapture: field.flag,
  /** `false`: it refuses refunds of less than the charge (code 32). */
  partialRefund: field.flag,
});

export interface ProviderFeatures extends field.ValueOf<typeof featuresCodec> {}

export const ALL_FEATURES: ProviderFeatures = { authorise: true, partialCapture: true, partialRefund: true };

const costCodec = field.record({
  international: field.orNull(field.flag),
  scheme: field.maybeText,
  /** In major units of the charge's currency. */
  transaction: field.orNull(field.number(0, COUNT_MAX)),
  percentage: field.orNull(field.number(0, COUNT_MAX)),
});

/** A fee of a provider. Null means any card, or no cost. */
export interface ProviderCost extends field.ValueOf<typeof costCodec> {}

const outcomeShareCodec = (links: field.Links) =>
  field.record({ outcome: links.outcome, weight: field.number(0, COUNT_MAX) });

export interface OutcomeShare extends field.ValueOf<ReturnType<typeof outcomeShareCodec>> {}

const behaviourCodec = (links: field.Links) =>
  field.record({
    /** Null for a provider that answers at once. */
    latency: field.orNull(delay),
    /** The outcomes of charges; empty: all are approved. */
    outcomes: field.list<OutcomeShare>(outcomeShareCodec(links)),
    /** The outcome of every n-th call of any operation. */
    fails: field.orNull(field.record({ every: field.whole(1, COUNT_MAX), outcome: links.outcome })),
    features: featuresCodec,
  });

/** How a configured provider answers, unless a magic card or a script decides. */
export interface ProviderBehaviour extends field.ValueOf<ReturnType<typeof behaviourCodec>> {}

const settingsFields = (links: field.Links) => ({
  type: field.anyText,
  name: field.anyText,
  environment: field.word('SANDBOX', 'PRODUCTION'),
  /** The currency of charges without one. */
  currency: field.currency,
  authenticationParameters: field.callersMap,
  additionalParameters: field.callersMap,
  country: field.maybeText,
  threeDsProviderId: field.orNull(field.anyProviderId),
  fallbackProviderId: field.orNull(field.anyProviderId),
  costs: field.list<ProviderCost>(costCodec),
  behaviour: behaviourCodec(links),
});

/** The settings that a call or a scenario file configures. */
export interface ProviderSettings extends field.ValuesOf<ReturnType<typeof settingsFields>> {}

export const providerFields = (links: field.Links) => ({
  providerId: field.hexId,
  ...settingsFields(links),
  dateAdded: field.instant,
  dateRemoved: field.maybeInstant,
  /** Whether it belongs to the scenario, and is removed with it. */
  scripted: field.flag,
});

/** A provider that was configured in a world. Its `id` is its ProviderId. */
export interface ConfiguredProvider extends field.RecordOf<typeof providerFields> {}

/** Names in a scenario are sent in a header, so they are printable ASCII. */
export const PROVIDER_NAME = /^[\x20-\x7e]{1,64}$/;

export interface ProviderAccount extends ProviderSettings {
  readonly providerId: string;
}

/** Of a provider without a configuration. */
export const DEFAULT_CURRENCY = 'AUD';

/** Two formats of one ProviderId have the same bare form. */
export function bareProviderId(providerId: string): string {
  return providerId.replaceAll('-', '').toLowerCase();
}

/** Requests and scenarios can choose the identifiers of providers. */
export class ProviderStore extends Table<ConfiguredProvider> {
  /** Finds a provider by its identifier in any format, even a removed one. */
  findByProviderId(providerId: string): ConfiguredProvider | null {
    // Most worlds have none, and their charges should not pay for the look-up.
    if (this.size === 0) return null;
    return this.find(bareProviderId(providerId)) ?? null;
  }

  /** Without removed providers. */
  *listConfigured(): Generator<ConfiguredProvider, void> {
    for (const provider of listRecords(allRecords(this))) if (provider.dateRemoved === null) yield provider;
  }

  /** Replaces the providers of the previous scenario. */
  replaceScripted(brought: readonly ProviderAccount[], now: number): void {
    for (const provider of this.rows()) if (provider?.scripted === true) this.remove(provider);
    for (const provider of brought) {
      this.add({
        ...provider,
        id: provider.providerId,
        index: this.next,
        dateAdded: now,
        dateRemoved: null,
        scripted: true,
      });
    }
  }
}
