import { call } from './call.js';
import { byId } from './elements.js';

/** The page of a challenge: the payer answers, and goes on to the shop. */

/** How often the page asks whether time has ended the challenge, in milliseconds. */
const ASKED_EVERY = 1000;

type Answered = Readonly<Record<string, unknown>>;

const say = (text: string): void => {
  byId('said', HTMLElement).textContent = text;
};

const send = (sent: object): Promise<Answered> => call(location.pathname, {}, sent);

async function ask(sent: object): Promise<boolean> {
  const answered = await send(sent);
  if (answered['Status'] === 'CHALLENGED') return false;
  document.getElementById('answers')?.remove();
  leave(answered);
  return true;
}

/** Sends the browser on as an issuer does: by a form that is posted to the shop. Without an address, the page around the frame receives it. */
function leave({ Status, NotificationUrl, Fields }: Answered): void {
  const done = Status === 'PASSED' ? 'Approved.' : 'Not approved.';
  const url =
    typeof NotificationUrl === 'string' && URL.canParse(NotificationUrl) ? new URL(NotificationUrl) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    say(`${done} This page can be closed.`);
    // The page that frames this one takes it away: nothing here is secret.
    if (parent !== window) parent.postMessage(Fields, '*');
    return;
  }
  say(`${done} On to ${url.host} …`);
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
    ask({ Answer: button.dataset['answer'] }).catch((error: unknown) => say(String(error)));
  });
}

/** Time may end the challenge as well. */
async function wait(): Promise<void> {
  while (!(await ask({}))) {
    const pause = AbortSignal.timeout(ASKED_EVERY);
    await new Promise((resolve) => pause.addEventListener('abort', resolve));
  }
}

void wait().catch((error: unknown) => say(String(error)));
