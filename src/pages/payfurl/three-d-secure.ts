import { fetchJson } from '../calls/call.js';
import { PlaymoneyError } from '../calls/error.js';
import { addStyle, makeElement } from '../forms/elements.js';
import { type Gateway, callHeaders } from '../calls/gateway.js';

/** 3-D Secure in a page: the payer confirms the payment at their bank. */

export interface Purchase extends Gateway {
  readonly email: string;
  readonly amount: number | string;
  readonly currency: string | null;
}

/** Authenticates the payer of a token. Rejects with a `PlaymoneyError` if the bank does not confirm the payment. */
export async function authenticatePayer(token: string, purchase: Purchase): Promise<void> {
  const { address, publicKey, email, amount, currency } = purchase;
  const ask = (step: string, sent: object) =>
    fetchJson(`${address}/3ds/${step}`, callHeaders(publicKey), sent);
  const id = encodeURIComponent(token);
  const { threeDSServerTransID } = await ask(`preauth/token/${id}`, {});
  const { transStatus, acsURL } = await ask(`auth/token/${id}`, {
    threeDSServerTransID,
    email,
    purchaseAmount: amount,
    purchaseCurrency: currency,
  });
  if (transStatus === CHALLENGE && typeof acsURL === 'string' && !(await showPayerPage(acsURL, BANK)))
    await fetchJson(acsURL, {}, { Answer: 'abandon' });
  const result = await ask('postauth', { threeDSServerTransID });
  if (GOES_ON.has(result['transStatus'])) return;
  const reason = REASON[String(result['challengeCancel'])] ?? 'your bank did not confirm the payment';
  throw new PlaymoneyError(`3-D Secure failed: ${reason}.`, null, FAILED);
}

const CHALLENGE = 'C';
/** Y is confirmed. U means that the bank is unavailable; then the charge decides. */
const GOES_ON = new Set<unknown>(['Y', 'U']);
const REASON: Readonly<Record<string, string>> = {
  '01': 'your bank’s page was closed before you confirmed the payment',
  '04': 'you did not confirm the payment in time',
};
const FAILED = 18;

const STYLE = `
.playmoney-challenge { box-sizing: border-box; width: min(31rem, 100vw - 1rem); padding: 0; border: 0; border-radius: 0.5rem; overflow: hidden; }
.playmoney-challenge::backdrop { background: rgb(0 0 0 / 0.55); }
.playmoney-challenge iframe { display: block; width: 100%; height: 18rem; max-height: calc(100vh - 4rem); border: 0; }
`;

const BANK = { title: 'Your bank', label: '3-D Secure' };

/** Shows the page of a bank or wallet until the payer answers, or closes it with Escape. Returns whether the payer answered. */
export async function showPayerPage(
  url: string,
  { title, label }: { readonly title: string; readonly label: string },
): Promise<boolean> {
  addStyle(STYLE);
  const frame = makeElement('iframe', { src: url, title });
  const dialog = makeElement('dialog', { class: 'playmoney-challenge', 'aria-label': label }, frame);
  const ended = new AbortController();
  const isAnswered = await new Promise<boolean>((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<{ readonly Height?: unknown } | null>): void => {
      if (source !== frame.contentWindow) return;
      if (typeof data?.Height === 'number') frame.style.height = `${data.Height}px`;
      else resolve(true);
    };
    frame.addEventListener('load', () => frame.contentWindow?.postMessage('height', '*'));
    window.addEventListener('message', onMessage, { signal: ended.signal });
    dialog.addEventListener('close', () => resolve(false));
    document.body.append(dialog);
    if (hasDialogs(dialog)) dialog.showModal();
    else dialog.setAttribute('open', '');
  });
  ended.abort();
  // Closing returns the focus to where it was.
  if (hasDialogs(dialog)) dialog.close();
  dialog.remove();
  return isAnswered;
}

/** Whether the page can open a dialog. In jsdom it cannot: there, a test ends a challenge with the event `close`. */
function hasDialogs(dialog: Partial<HTMLDialogElement>): boolean {
  return typeof dialog.showModal === 'function';
}
