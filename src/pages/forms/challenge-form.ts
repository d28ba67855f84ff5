/** How often the page asks whether the challenge has timed out. */
const POLL_MS = 1000;

/** The statuses of a challenge and of a check-out that wait for the payer, and those that the payer approved. */
const WAITING = new Set<unknown>(['CHALLENGED', 'PENDING']);
const APPROVED = new Set<unknown>(['PASSED', 'APPROVED']);

type ChallengeAnswer = Readonly<Record<string, unknown>>;

/** A document that shows a challenge or a check-out, with its ways to the sandbox and to the page around it. */
export interface ShownChallenge {
  readonly page: Document;
  /** Sends the payer's answer; an empty object asks for the state. */
  readonly ask: (sent: object) => Promise<ChallengeAnswer>;
  readonly tellParent: (said: unknown) => void;
}

/** Sends the payer's answer, then returns to the shop. */
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
  if (WAITING.has(answered['Status'])) return false;
  shown.page.getElementById('answers')?.remove();
  returnToShop(shown, answered);
  return true;
}

/** Posts a form to the shop as an issuer does, or goes there as from a wallet. Without an address, the page around the frame receives a message. */
function returnToShop({ page, tellParent }: ShownChallenge, answered: ChallengeAnswer): void {
  const { Status, NotificationUrl, ReturnUrl, Fields } = answered;
  const done = APPROVED.has(Status) ? 'Approved.' : 'Not approved.';
  const address = NotificationUrl ?? ReturnUrl;
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    showMessage(page, `${done} You can close this page.`);
    tellParent(Fields);
    return;
  }
  showMessage(page, `${done} Returning to ${url.host}…`);
  if (address === ReturnUrl) return page.defaultView?.location.assign(url);
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
