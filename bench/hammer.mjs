// Sends requests without a pause over a number of connections. It does as little as it can, so that the measurement is of the
// server: it writes the same bytes again and looks only for the status and the end of each answer.
import { connect } from 'node:net';

import { HEADERS } from './support.mjs';

const CONNECTIONS = 64;

/** The bytes of a request. */
export function requestBytes(url, { method = 'POST', path, body = '', key = HEADERS['x-secretkey'] }) {
  const { 'content-type': type } = HEADERS;
  const ofBody = body === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  const headers = { host: new URL(url).host, 'x-secretkey': key, ...ofBody };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends a request again and again until the time is over or enough were answered; a function makes the n-th one. Returns their number,
 * the number per second, and the median and 99th percentile of their times in milliseconds. With `pace`, connections wait for so many
 * milliseconds between two requests on average, each for another time, so that they do not all send at once. Fails if a single
 * request is refused.
 */
export async function hammer(
  url,
  request,
  { seconds = Infinity, connections = CONNECTIONS, count = Infinity, pace = 0, answered = () => {} },
) {
  const same = typeof request === 'function' ? null : requestBytes(url, request);
  const bytesOf = (n) => same ?? requestBytes(url, request(n));
  const { hostname, port } = new URL(url);
  const times = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let sent = 0;
  /** The number of the next request; -1 if no more are wanted. */
  const next = () => (sent < count && performance.now() < end ? sent++ : -1);
  const work = { port: Number(port), hostname, bytesOf, next, times, answered };
  const paceOf = (n) => pace * (0.5 + (n + 0.5) / connections);
  await Promise.all(Array.from({ length: connections }, (_, n) => repeat({ ...work, pace: paceOf(n) })));
  const took = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(times).toSorted();
  return {
    count: sorted.length,
    rate: sorted.length / took,
    p50: sorted[Math.ceil(sorted.length * 0.5) - 1],
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1],
  };
}

/** The requests of one connection. Connects again if the server closes it. */
function repeat(work) {
  return new Promise((resolve, reject) => {
    const socket = connect(work.port, work.hostname);
    socket.setNoDelay(true);
    let from = 0;
    let text = '';
    let n = -1;
    const next = () => {
      n = work.next();
      if (n < 0) {
        socket.destroy();
        return resolve();
      }
      const bytes = work.bytesOf(n);
      from = performance.now();
      socket.write(bytes);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (piece) => {
      text += piece.latin1Slice();
      const answer = endOf(text);
      if (answer === null) return;
      if (!text.startsWith('HTTP/1.1 2')) return reject(new Error(`Refused: ${text.slice(0, 2000)}`));
      work.times.push(performance.now() - from);
      work.answered(n, text);
      text = '';
      if (!answer.closes) return void (work.pace > 0 ? setTimeout(next, work.pace) : next());
      socket.destroy();
      resolve(repeat(work));
    });
    socket.on('end', () =>
      reject(new Error(`The server closed the connection after ${text.length} bytes of an answer`)),
    );
  });
}

/** What the head of an answer says about its end; null until the head is complete. */
function endOf(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const fields = text.slice(0, head + 2);
  const closes = /\r\nconnection: *close/i.test(fields);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(fields) ?? [];
  const complete =
    length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
  return complete ? { closes } : null;
}
