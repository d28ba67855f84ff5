import type { DelaySpec } from '../core/delay.js';
import { recordsIn, whole } from '../core/search.js';
import { Table } from '../core/store.js';

/** What a provider is able to do. */
export interface ProviderFeatures {
  /** `false`: it refuses `Capture: false` (code 71). */
  readonly authorise: boolean;
  /** `false`: it refuses captures of less than the authorisation (code 78). */
  readonly partialCapture: boolean;
  /** `false`: it refuses refunds of less than the charge (code 32). */
  readonly partialRefund: boolean;
}

export const ALL_FEATURES: ProviderFeatures = { authorise: true, partialCapture: true, partialRefund: true };

/** What a provider takes for a charge; absent parts (null) hold for any card, or cost nothing. */
export interface Cost {
  readonly international: boolean | null;
  readonly scheme: string | null;
  /** In major units of the charge's currency. */
  readonly transaction: number | null;
  readonly percentage: number | null;
}

/** An outcome and its share among those of its list. */
export interface OutcomeShare {
  readonly outcome: string;
  readonly weight: number;
}

/** How a configured provider answers, where no magic card or script does. */
export interface ProviderBehaviour {
  /** Its own latency; null: it answers at once. */
  readonly latency: DelaySpec | null;
  /** What becomes of charges; empty: they are approved. */
  readonly outcomes: readonly OutcomeShare[];
  /** Every so-manieth call, of whatever operation, ends like this. */
  readonly fails: { readonly every: number; readonly outcome: string } | null;
  readonly features: ProviderFeatures;
}

export type Environment = 'SANDBOX' | 'PRODUCTION';

/** A caller's own map of texts. */
export type Parameters = Readonly<Record<string, string>>;

/** What a provider is configured with, by a call or by a scenario file. */
export interface ProviderSettings {
  readonly type: string;
  readonly name: string;
  readonly environment: Environment;
  /** The currency of charges that name none. */
  readonly currency: string;
  readonly authenticationParameters: Parameters;
  readonly additionalParameters: Parameters;
  readonly country: string | null;
  readonly threeDsProviderId: string | null;
  readonly fallbackProviderId: string | null;
  readonly costs: readonly Cost[];
  readonly behaviour: ProviderBehaviour;
}

/** A provider that somebody configured in a world. */
export interface ConfiguredProvider extends ProviderSettings {
  /** The same as its ProviderId. */
  readonly id: string;
  readonly index: number;
  /** 32 lower-case hex digits. */
  readonly providerId: string;
  readonly dateAdded: number;
  readonly dateRemoved: number | null;
  /** Whether the scenario brought it along: then it goes with the scenario. */
  readonly scripted: boolean;
}

/** The name of a provider in a scenario: it travels in a header, so it is printable ASCII. */
export const PROVIDER_NAME = /^[\x20-\x7e]{1,64}$/;

/** A provider as a scenario brings it along. */
export interface BroughtProvider extends ProviderSettings {
  readonly providerId: string;
}

/** The currency of charges through a provider that nobody configured. */
export const DEFAULT_CURRENCY = 'AUD';

/** A ProviderId by which others are compared: hyphens and case do not matter. */
export function bareProviderId(providerId: string): string {
  return providerId.replaceAll('-', '').toLowerCase();
}

/** The configured providers of a world; their identifiers may be chosen, by a scenario too. */
export class ProviderStore extends Table<ConfiguredProvider> {
  /** The provider of an identifier in any spelling, also one that was removed; null: nobody configured it. */
  named(providerId: string): ConfiguredProvider | null {
    // Most worlds have none, and then a charge must not pay for the look-up.
    if (this.size === 0) return null;
    return this.find(bareProviderId(providerId)) ?? null;
  }

  /** Those that were not removed, in the order in which they were configured. */
  *configured(): Generator<ConfiguredProvider, void> {
    for (const provider of recordsIn(whole(this))) if (provider.dateRemoved === null) yield provider;
  }

  /** Puts the providers of a scenario into the place of those that the one before brought along. */
  bring(brought: readonly BroughtProvider[], now: number): void {
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
