/** How often the page asks whether the challenge has timed out. */
const POLL_MS = 1000;

type ChallengeAnswer = Readonly<Record<string, unknown>>;

/** A document that shows a challenge, with its ways to the sandbox and to the page around it. */
export interface ShownChallenge {
  readonly page: Document;
  /** Sends the payer's answer; an empty object asks for the state. */
  readonly ask: (sent: object) => Promise<ChallengeAnswer>;
  readonly tellParent: (said: unknown) => void;
}

/** Sends the payer's answer to a challenge, then returns to the shop. */
export function runChallenge(shown: ShownChallenge): void {
  const { page, tellParent } = shown;
  const { defaultView: view, documentElement: root } = page;
  const report = (error: unknown): void => showMessage(page, String(error));
  for (const button of page.querySelectorAll<HTMLButtonElement>('[data-answer]')) {
    button.addEventListener('click', () => {
      askChallenge(shown, { Answer: button.dataset['answer'] }).catch(report);
    });
  }
  void pollChallenge(shown).catch(report);
  // A page that asks for the height of this one gets it, and each change. Others receive nothing but the result.
  view?.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (data !== 'height' || source !== view.parent) return;
    new view.ResizeObserver(() => {
      tellParent({ Height: Math.ceil(root.getBoundingClientRect().height) });
    }).observe(root);
  });
}

/** Asks until the challenge has ended, or its document is no longer shown. */
async function pollChallenge(shown: ShownChallenge): Promise<void> {
  while (shown.page.defaultView !== null && !(await askChallenge(shown, {}))) {
    const pause = AbortSignal.timeout(POLL_MS);
    await new Promise((resolve) => pause.addEventListener('abort', resolve));
  }
}

async function askChallenge(shown: ShownChallenge, sent: object): Promise<boolean> {
  const answered = await shown.ask(sent);
  if (answered['Status'] === 'CHALLENGED') return false;
  shown.page.getElementById('answers')?.remove();
  returnToShop(shown, answered);
  return true;
}

/** Posts a form to the shop, as an issuer does. Without an address, the page around the frame receives a message instead. */
function returnToShop({ page, tellParent }: ShownChallenge, answered: ChallengeAnswer): void {
  const { Status, NotificationUrl, Fields } = answered;
  const done = Status === 'PASSED' ? 'Approved.' : 'Not approved.';
  const url =
    typeof NotificationUrl === 'string' && URL.canParse(NotificationUrl) ? new URL(NotificationUrl) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    showMessage(page, `${done} You can close this page.`);
    tellParent(Fields);
    return;
  }
  showMessage(page, `${done} Returning to ${url.host}…`);
  const form = page.createElement('form');
  form.method = 'post';
  form.action = url.href;
  for (const [name, value] of Object.entries(Fields as Record<string, string>)) {
    const input = page.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  page.body.append(form);
  form.submit();
}

function showMessage(page: Document, text: string): void {
  const said = page.getElementById('said');
  if (said !== null) said.textContent = text;
}
