// What a greedy client sends to fill the memory of a server. Each attack resolves with how many answers had each status; 0 is a lost connection.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

const MIB = 1024 * 1024;
/** How long a client that sends half a body waits for an answer. */
const PATIENCE_MS = 5_000;
const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '12/30', Ccv: '123' };
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

/** The keys of all worlds that were used. */
export const keys = new Set();

/** One call; resolves with its status and text. */
export function call(port, method, path, key, body) {
  if (key !== '') keys.add(key);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const typed =
    text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve) => {
    const lose = () => resolve({ status: 0, text: '' });
    const options = {
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { 'x-secretkey': key, ...typed },
      agent,
    };
    const sent = request(options, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(pieces).toString() }));
      answer.on('error', lose);
    });
    sent.on('error', lose);
    sent.end(text);
  });
}

export const charge = (more = {}) => ({
  Amount: 20,
  ProviderId: PROVIDER,
  PaymentInformation: CARD,
  ...more,
});

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

function tally(statuses) {
  const counts = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Makes calls from several clients, each one after the other. */
async function flood(count, clients, one) {
  const statuses = [];
  let next = 0;
  const client = async () => {
    while (next < count) statuses.push((await one(next++)).status);
  };
  await Promise.all(times(clients, client));
  return tally(statuses);
}

/** 692 kB with many rules, states and customers. */
function bigScenario() {
  const state = (i) => Object.fromEntries(times(70, (n) => [`k${n}`, `v${i}`]));
  // Half of them set a state, without which the other half could never match.
  const rules = times(500, (i) => {
    const order = Math.floor(i / 2);
    const when = {
      operation: ['charge.create', 'charge.capture'],
      reference: `order-${i}-*`,
      amount: { gte: i, lt: i + 1 },
    };
    return i % 2 === 0
      ? // oxlint-disable-next-line unicorn/no-thenable -- the field's name in the file
        { name: `rule ${i}`, when, then: { outcome: 'do_not_honor', state: state(order) } }
      : // oxlint-disable-next-line unicorn/no-thenable -- the field's name in the file
        { name: `rule ${i}`, when: { ...when, state: state(order) }, then: { outcome: 'do_not_honor' } };
  });
  const customers = times(530, (i) => ({
    firstName: 'A'.repeat(50),
    lastName: `Person ${i}`,
    email: `p${i}@example.com`,
    metadata: { a: 'x'.repeat(100), b: 'y'.repeat(60) },
  }));
  return JSON.stringify({ Definition: { name: 'big', rules, seedData: { customers } } });
}

/** A state document of almost 16 MiB. */
async function bigState(port) {
  const key = 'sk_test_state';
  const customer = { FirstName: 'A', PaymentInformation: CARD, ProviderId: PROVIDER };
  await call(port, 'POST', '/customer/card', key, customer);
  const document = JSON.parse((await call(port, 'GET', '/_sandbox/state', key)).text);
  const [one] = document.Customers;
  const room = 15.9 * MIB - JSON.stringify(document).length;
  const Customers = times(Math.floor(room / (JSON.stringify(one).length + 1)), () => one);
  return JSON.stringify({ ...document, Customers });
}

/** A body that is sent except for its last byte. */
function halfBody(port, path, bytes) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let came = '';
    const end = () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(came)?.[1] ?? 0));
    socket.on('data', (text) => {
      came += text;
    });
    socket.on('error', end).on('close', end);
    const head = ['Host: localhost', 'x-secretkey: sk_test_half', 'Content-Type: application/json'];
    socket.write(`PUT ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${bytes + 1}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes, ' '));
    setTimeout(() => socket.destroy(), PATIENCE_MS);
  });
}

const seeded = (port, key) =>
  call(port, 'PUT', '/_sandbox/scenario', key, {
    Definition: { name: 'x', seedData: { fake: '10000 customers' } },
  });
const reset = (port, key) => call(port, 'POST', '/_sandbox/reset', key, {});

export const ATTACKS = {
  'worlds with large scenarios': (port) => {
    const text = bigScenario();
    return flood(300, 4, (i) => call(port, 'PUT', '/_sandbox/scenario', `sk_test_w${i}`, text));
  },
  'half state documents': async (port) =>
    tally(await Promise.all(times(40, () => halfBody(port, '/_sandbox/state', 16 * MIB - 1)))),
  'charges with large metadata': (port) =>
    flood(10_000, 8, (i) => {
      const Metadata = Object.fromEntries(
        times(50, (n) => [`key ${n} of ${i}`.padEnd(1000, 'k'), 'x'.repeat(1000)]),
      );
      return call(port, 'POST', '/charge/card', 'sk_test_metadata', charge({ Metadata }));
    }),
  'whole state documents': async (port) => {
    const text = await bigState(port);
    return flood(60, 40, (i) => call(port, 'PUT', '/_sandbox/state', `sk_test_s${i}`, text));
  },
  batches: (port) => {
    const rows = times(330_000, (i) => `${'a'.repeat(32)},5,AUD,${i}\n`).join('');
    const Batch = `PaymentMethodId,Amount,Currency,Reference\n${rows}`;
    const text = JSON.stringify({ Count: 330_000, Description: 'x', Batch });
    return flood(100, 4, (i) =>
      call(port, 'POST', '/batch/transaction/payment_method', `sk_test_b${i % 3}`, text),
    );
  },
  'worlds with seed data': (port) =>
    flood(200, 4, async (i) => {
      await seeded(port, `sk_test_f${i}`);
      return reset(port, `sk_test_f${i}`);
    }),
  snapshots: async (port) => {
    await flood(30, 4, async (i) => {
      await seeded(port, `sk_test_p${i}`);
      return reset(port, `sk_test_p${i}`);
    });
    return flood(300, 4, (i) =>
      call(port, 'PUT', `/_sandbox/snapshots/s${i % 10}`, `sk_test_p${Math.floor(i / 10)}`),
    );
  },
  'small worlds': (port) => flood(10_000, 16, (i) => call(port, 'GET', '/charge', `sk_test_n${i}`)),
  'small charges': (port) =>
    flood(60_000, 16, (i) =>
      call(port, 'POST', '/charge/card', 'sk_test_small', charge({ Reference: `order-${i}` })),
    ),
};
