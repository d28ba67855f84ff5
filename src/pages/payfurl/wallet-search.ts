import type { Gateway } from '../calls/gateway.js';
import { type PageOrder, type ProvidersByKind, readPaymentWays } from './page-ways.js';

/** Looks for the providers of wallets, while the page may change the amount or fill the container with something else. */
export class WalletSearch {
  readonly #waiting = new Map<Element, { order: PageOrder }>();

  begin(
    container: Element,
    gateway: Gateway,
    order: PageOrder,
    onFound: (providers: ProvidersByKind, order: PageOrder) => void,
  ): void {
    const waiting = { order };
    this.#waiting.set(container, waiting);
    void readPaymentWays(gateway).then(
      (providers) => {
        if (this.#waiting.get(container) !== waiting) return;
        this.forget(container);
        onFound(providers, waiting.order);
      },
      // Cards still work, and a payment would report the same error.
      (error: unknown) => warnDeveloper(`could not look for wallets: ${String(error)}`),
    );
  }

  forget(container: Element): void {
    this.#waiting.delete(container);
  }

  change(amount: PageOrder['amount']): void {
    for (const waiting of this.#waiting.values()) waiting.order = { ...waiting.order, amount };
  }
}

/** Says why a button is missing, which a developer would otherwise look for. */
export function warnOfMissingWallet(name: string, providerType: string): void {
  const advice = `Create a provider of the type ${providerType} with POST /provider.`;
  warnDeveloper(`no button for ${name}, because no provider accepts it. ${advice}`);
}

function warnDeveloper(message: string): void {
  // oxlint-disable-next-line no-console -- the page itself has nothing to show
  console.warn(`payfurl: ${message}`);
}
