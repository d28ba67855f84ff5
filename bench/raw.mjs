// The server that playmoney is compared with: a bare node:http server that reads the same charge, keeps it in a Map and answers
// with the same fields. No checks, no key, no clock: a JavaScript server cannot do less.
//
//   node bench/raw.mjs [PORT]
import { createServer } from 'node:http';

import { answerFor, idOf } from './answer.mjs';

const CHARGE_PATH = '/charge/';

const charges = new Map();

function send(response, status, answer) {
  const body = JSON.stringify(answer);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function make(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const charge = JSON.parse(Buffer.concat(chunks).toString());
    const id = idOf(charges.size + 1);
    charges.set(id, charge);
    send(response, 200, answerFor(id, charge));
  });
}

function read(request, response) {
  const id = request.url.slice(CHARGE_PATH.length);
  const charge = charges.get(id);
  if (charge === undefined) send(response, 404, { Message: 'No such charge' });
  else send(response, 200, answerFor(id, charge));
}

const server = createServer((request, response) =>
  request.method === 'POST' ? make(request, response) : read(request, response),
);

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`raw listening on http://127.0.0.1:${server.address().port}`);
});
