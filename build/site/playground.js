// The script of the playground. It calls the service worker as a shop calls the gateway.
import { startSandboxWorker } from '../../src/app/browser/register.ts';

const KEY = 'sk_test_playground';
const byId = (id) => document.getElementById(id);

async function call(path, body) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'x-secretkey': KEY, 'content-type': 'application/json' };
  return (await fetch(path, { ...init, headers })).json();
}

async function showClock() {
  const { Clock } = await call('/_sandbox/world');
  byId('now').value = Clock.Now.replace('T', ' ').replace(/\.000Z$/, ' UTC');
}

/** Shows the page of a payment link, which is made for the first visit. */
async function showCheckout() {
  const { PaymentLinks } = await call('/pay/payment_link');
  const gift = { Title: 'A gift card', Amount: 15.5, Currency: 'AUD', LimitPayments: 1000 };
  const { Url } = PaymentLinks[0] ?? (await call('/pay/payment_link', gift));
  byId('checkout').src = Url;
}

async function start() {
  await startSandboxWorker('browser.js', { clock: 'manual' });
  // The dashboard takes its key from here.
  sessionStorage.setItem('playmoney.key', KEY);
  await showCheckout();
  byId('dashboard').src = '/_sandbox#/charges';
  await showClock();
  const advance = () => call('/_sandbox/clock/advance', { By: byId('by').value }).then(showClock);
  const reset = () => call('/_sandbox/reset', {}).then(showCheckout).then(showClock);
  byId('clock').addEventListener('submit', (event) => {
    event.preventDefault();
    void advance();
  });
  byId('again').addEventListener('click', () => void showCheckout());
  byId('reset').addEventListener('click', () => void reset());
}

function refuse(reason) {
  byId('problem').textContent = reason;
  byId('problem').hidden = false;
  byId('clock').hidden = true;
  document.querySelector('.frames').hidden = true;
}

if (location.protocol === 'file:') {
  refuse('A page that is opened as a file has no service worker. Serve the manual: npm run docs -- --serve');
} else if (location.pathname !== '/playground.html' || !('serviceWorker' in navigator)) {
  refuse(
    'The playground needs a service worker, and the manual at the root of its address, over https or on localhost.',
  );
} else {
  start().catch((error) => refuse(`The playground did not start: ${error.message}`));
}
