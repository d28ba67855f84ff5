import { Server } from './server.mjs';

const RECORDS_MAX = 200_000;
const END_MS_MAX = 2000;
const KEY = 'sk_test_full';
const PROVIDER = '00000000000000000000000000000001';
/** So many rows of batches leave room for a few hundred single charges. */
const [BATCHES, BATCH_ROWS] = [2, 99_700];

/** Charges until the limit of --state, then ends the server by SIGTERM and opens what it saved. Returns what to print. */
export async function fillAndEnd(path, findings) {
  const server = await Server.start(path);
  const refusal = await fill(server.url);
  if (refusal.Code !== 37 || !refusal.Message.includes('--state')) {
    findings.push(`the limit was refused with ${JSON.stringify(refusal)}`);
  }
  const charges = await countIn(server.url);
  const begun = performance.now();
  server.child.kill('SIGTERM');
  const code = await server.ended;
  const ms = Math.round(performance.now() - begun);
  if (code !== 0) findings.push(`with ${charges} charges: exit code ${code} after SIGTERM: ${server.stderr}`);
  if (ms > END_MS_MAX) findings.push(`with ${charges} charges: ${ms} ms from SIGTERM to the end`);
  const again = await Server.start(path);
  const restored = await countIn(again.url);
  await again.kill();
  if (restored !== charges) findings.push(`${charges} charges were saved, but ${restored} restored`);
  return `${charges} charges (limit ${RECORDS_MAX} records): SIGTERM to exit ${ms} ms`;
}

/** Fills the world with a batch, and then with charges, until a call is refused; returns the refusal. */
async function fill(url) {
  const card = { CardNumber: '4242424242424242', ExpiryDate: '12/40' };
  const method = await call(url, 'POST', '/payment_method/card', {
    ProviderId: PROVIDER,
    PaymentInformation: card,
  });
  const row = `${method.PaymentMethodId},5.00,AUD,order-1`;
  const rows = Array.from({ length: BATCH_ROWS }, () => row);
  for (let batch = 0; batch < BATCHES; batch++) {
    await call(url, 'POST', '/batch/transaction/payment_method', {
      Count: BATCH_ROWS,
      Description: 'Many',
      Batch: ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n'),
    });
  }
  await call(url, 'POST', '/_sandbox/clock/advance', { By: '1d' });
  for (;;) {
    const made = await call(url, 'POST', '/charge/token', { Amount: 5, Token: 'tok_approve' });
    if (made.Status !== 'SUCCESS') return made;
  }
}

async function countIn(url) {
  return (await call(url, 'GET', '/_sandbox/world')).Counts.Charges;
}

async function call(url, method, path, body) {
  const headers = { 'x-secretkey': KEY, 'content-type': 'application/json' };
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
}
