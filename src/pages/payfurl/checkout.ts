import { fetchJson } from '../calls/call.js';
import { PlaymoneyError } from '../calls/error.js';
import { callHeaders } from '../calls/gateway.js';
import type { PaymentWay } from './page-ways.js';
import { showPayerPage } from './three-d-secure.js';

/** A button that begins a check-out and shows the page of the wallet. Its charge is the payment, whatever the payer decides. */
export function checkoutWay(providerType: string, providerId: string): PaymentWay {
  return {
    rows: [],
    label: () => `Pay with ${providerType}`,
    async pay({ amount, currency, address, publicKey }) {
      const sent = {
        ProviderId: providerId,
        ProviderType: providerType,
        Amount: amount,
        Currency: currency ?? undefined,
        Initiator: 'CUSTOMER',
      };
      const begun = await fetchJson(`${address}/charge/checkout`, callHeaders(publicKey), sent);
      const { ChargeId, Checkout } = begun as {
        readonly ChargeId: string;
        readonly Checkout: { Url: string | null };
      };
      // An outcome that a test asked for has decided it.
      if (Checkout.Url !== null) await requireApproval(Checkout.Url, providerType);
      return { transactionId: ChargeId };
    },
  };
}

/** Shows the page of the wallet. Rejects with a `PlaymoneyError` if the payer leaves it, or the charge fails. */
async function requireApproval(url: string, name: string): Promise<void> {
  if (!(await showPayerPage(url, { title: name, label: 'Check-out' })))
    throw new PlaymoneyError(`The page of ${name} was closed before the payment was approved.`);
  const { ChargeStatus } = await fetchJson(url, {}, {});
  if (ChargeStatus !== 'SUCCESS') throw new PlaymoneyError(`The payment with ${name} was not approved.`);
}
