const PAID = ['SUCCESS', 'PARTIAL_REFUND'];
const NOT_CHARGED = ['FAILED', 'AUTHORISE_CANCELLED'];
/** They come with status 400, as declines do, but the card may have been charged. */
const UNCLEAR_CODES = [34, 37, 80];

/** The orders of the shop. Next loads each route by itself, so they are kept where all routes find them. */
export const orders = (globalThis.shopOrders ??= new Map());

async function callGateway(method, path, body) {
  const { PLAYMONEY_URL, PLAYMONEY_KEY } = process.env;
  const headers = { 'content-type': 'application/json', 'x-secretkey': PLAYMONEY_KEY };
  const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
  const answer = await fetch(PLAYMONEY_URL + path, { ...init, cache: 'no-store' });
  return { status: answer.status, body: await answer.json() };
}

/** The answer to an earlier attempt may have been lost, so this looks for its charge before it makes one. */
async function findOrMakeCharge(order) {
  const search = await callGateway('GET', `/charge?Reference=${encodeURIComponent(order.Reference)}`);
  const earlier = search.body.Charges.find(({ Status }) => !NOT_CHARGED.includes(Status));
  if (earlier) return earlier;
  const { status, body } = await callGateway('POST', '/charge/token', order);
  return status === 400 && !UNCLEAR_CODES.includes(body.Code) ? { Status: 'FAILED' } : body;
}

/** Can be called again for the same order. `unknown`: call it again later, before anything else. */
export async function pay(order) {
  try {
    const { ChargeId: chargeId, Status } = await findOrMakeCharge(order);
    const status = PAID.includes(Status) ? 'paid' : Status === 'FAILED' ? 'declined' : 'unknown';
    return { status, chargeId };
  } catch {
    return { status: 'unknown' };
  }
}

export async function refund(chargeId) {
  return (await callGateway('DELETE', `/refund/${chargeId}`)).status === 200;
}
