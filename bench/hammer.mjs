// Charges without a pause at 64 connections.
import autocannon from 'autocannon';

import { CHARGE, HEADERS } from './support.mjs';

const CONNECTIONS = 64;

/** Charges by card for so many seconds; fails when a single one was refused. */
export async function hammer(url, seconds) {
  const result = await autocannon({
    url: `${url}/charge/card`,
    connections: CONNECTIONS,
    duration: seconds,
    method: 'POST',
    headers: HEADERS,
    body: CHARGE,
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result;
}
