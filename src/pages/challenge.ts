import { fetchJson } from './calls/call.js';
import { byId } from './forms/elements.js';

/** The script of the challenge page: sends the payer's answer, then returns to the shop. */

/** How often the page asks whether the challenge has timed out. */
const POLL_MS = 1000;

type ChallengeAnswer = Readonly<Record<string, unknown>>;

const showMessage = (text: string): void => {
  byId('said', HTMLElement).textContent = text;
};

const postChallenge = (sent: object): Promise<ChallengeAnswer> => fetchJson(location.pathname, {}, sent);

async function askChallenge(sent: object): Promise<boolean> {
  const answered = await postChallenge(sent);
  if (answered['Status'] === 'CHALLENGED') return false;
  document.getElementById('answers')?.remove();
  returnToShop(answered);
  return true;
}

/** Posts a form to the shop, as an issuer does. Without an address, the page around the frame receives a message instead. */
function returnToShop({ Status, NotificationUrl, Fields }: ChallengeAnswer): void {
  const done = Status === 'PASSED' ? 'Approved.' : 'Not approved.';
  const url =
    typeof NotificationUrl === 'string' && URL.canParse(NotificationUrl) ? new URL(NotificationUrl) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    showMessage(`${done} You can close this page.`);
    // The page around this one removes the frame. The fields are not secret, so any origin may read them.
    if (parent !== window) parent.postMessage(Fields, '*');
    return;
  }
  showMessage(`${done} Returning to ${url.host}…`);
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url.href;
  for (const [name, value] of Object.entries(Fields as Record<string, string>)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-answer]')) {
  button.addEventListener('click', () => {
    askChallenge({ Answer: button.dataset['answer'] }).catch((error: unknown) => showMessage(String(error)));
  });
}

async function pollChallenge(): Promise<void> {
  while (!(await askChallenge({}))) {
    const pause = AbortSignal.timeout(POLL_MS);
    await new Promise((resolve) => pause.addEventListener('abort', resolve));
  }
}

void pollChallenge().catch((error: unknown) => showMessage(String(error)));

/** A page that asks for the height of this one gets it, and each change. Others receive nothing but the result. */
window.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
  if (data !== 'height' || source !== parent) return;
  const page = document.documentElement;
  new ResizeObserver(() => {
    parent.postMessage({ Height: Math.ceil(page.getBoundingClientRect().height) }, '*');
  }).observe(page);
});
