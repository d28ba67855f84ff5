import type { Socket } from 'node:net';

import { JSON_TYPE } from '../../node/http/support.js';
import { answering, answeringJson, type Behaviour } from './stand-in.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const ENDLESS = Buffer.alloc(64 * 1024, 'x');

/** Writes the same again and again, as fast as it is read. */
function writeEndlessly(socket: Socket, piece: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    socket.once('drain', more);
  };
  more();
}

/** Writes one character every few milliseconds. */
function drip(socket: Socket, character: string): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(character)), 5);
}

/** Servers of which nothing more comes before the time is over. */
export const SILENT: Readonly<Record<string, Behaviour>> = {
  'one that never answers': () => {},
  'one that sends half a head': (socket) => socket.write(`${OK}Content-Ty`),
  'one that sends half a body': (socket) =>
    socket.write(`${OK}${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{"Version":`),
  'one that sends a byte at a time': (socket) => {
    socket.write(`${OK}${JSON_TYPE}\r\n\r\n`);
    drip(socket, ' ');
  },
  'one that sends a head byte by byte': (socket) => {
    socket.write(`${OK}x-drip: `);
    drip(socket, 'x');
  },
  'one that says to go on for ever': (socket) => {
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer);
      else socket.write('HTTP/1.1 102 Processing\r\n\r\n');
    }, 5);
  },
};

/** Servers that are not playmoney, or are broken, with what is printed about each, to whichever verb calls it. */
export const SERVERS: Readonly<Record<string, readonly [Behaviour, RegExp]>> = {
  'one that closes the connection': [(socket) => socket.end(), /did not answer with HTTP|no complete answer/],
  'one that resets the connection': [
    (socket) => socket.resetAndDestroy(),
    /did not answer with HTTP|no complete answer/,
  ],
  'one that speaks another protocol': [
    (socket) => socket.end('220 mail.example.com ESMTP ready\r\n'),
    /did not answer with HTTP|no complete answer/,
  ],
  'one that sends half a head and closes': [
    (socket) => socket.end(`${OK}Content-Ty`),
    /did not answer with HTTP|no complete answer/,
  ],
  'one that sends half a body and closes': [
    (socket) => socket.end(`${OK}${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{"Version":`),
    /ended early|no complete answer/,
  ],
  'one that resets within a body': [
    (socket) => {
      socket.write(`${OK}${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{`, () => socket.resetAndDestroy());
    },
    /ended early|no complete answer|did not answer with HTTP/,
  ],
  'one with a broken chunk': [
    (socket) => socket.end(`${OK}${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`),
    /ended early|no complete answer|did not answer with HTTP/,
  ],
  'one with an endless head': [
    (socket) => {
      socket.write(OK);
      writeEndlessly(socket, 'x-more: more\r\n'.repeat(1000));
    },
    /did not answer with HTTP|no complete answer/,
  ],
  'one with an endless body': [
    (socket) => {
      socket.write(`${OK}${JSON_TYPE}\r\n\r\n`);
      writeEndlessly(socket, ENDLESS);
    },
    /returned more than \d+ MiB|too long to read/,
  ],
  'one that switches protocols': [
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /did not answer|no complete answer/,
  ],
  'a web page': [
    answering('200 OK', ['Content-Type: text/html'], '<!doctype html><title>Router</title>'),
    /returned text\/html instead of JSON|different/,
  ],
  'JSON that says it is a page': [
    answering('200 OK', ['Content-Type: text/html'], '{"Version":"1","Status":"ready","Entries":[]}'),
    /returned text\/html instead of JSON|different/,
  ],
  'an answer without a type': [answering('200 OK', [], 'hello'), /without a content type|different/],
  'the JSON of something else': [
    answeringJson(() => ({ status: 'UP', components: {} })),
    /is required and must be [^.]+\. Is it a playmoney server|extra field|different/,
  ],
  'JSON with fields of other kinds': [
    answeringJson(() => ({
      Version: 1,
      Status: [],
      Entries: [{ At: {}, Method: null }],
      Count: 'many',
      Evicted: {},
    })),
    /must be [^.]+, not |different/,
  ],
  'a list': [answeringJson(() => []), /the body must be an object, not an array|different/],
  null: [answeringJson(() => null), /the body must be an object, not null|different/],
  'malformed JSON': [answering('200 OK', [JSON_TYPE], '{"Version":'), /malformed JSON|different/],
  'deep JSON': [
    answering('200 OK', [JSON_TYPE], '['.repeat(100_000) + ']'.repeat(100_000)),
    /Is it a playmoney server|different/,
  ],
  'a body that it calls gzip': [
    answering('200 OK', [JSON_TYPE, 'Content-Encoding: gzip'], '\u001F\uFFFD\b'),
    /malformed JSON|different/,
  ],
  'no content': [answering('204 No Content', [], ''), /returned 204 without a message|different/],
  'a page that was not found': [
    answering('404 Not Found', ['Content-Type: text/html'], '<h1>Not Found</h1>'),
    /returned 404 without a message|different/,
  ],
  'an error of something else': [
    answeringJson(() => ({ error: 'no route', Message: 404 }), [], '404 Not Found'),
    /returned 404 without a message|different/,
  ],
  'a crash with its stack': [
    answering('500 Oops', ['Content-Type: text/plain'], 'Error: boom\n    at handler (app.js:1:1)\n'),
    /returned 500 without a message|different/,
  ],
  'a redirect elsewhere': [
    answering('302 Found', ['Location: http://example.com/login'], ''),
    /redirects to http:\/\/example\.com\/login \(status 302\)|different/,
  ],
  'a redirect to itself': [
    answering('301 Moved', ['Location: /_sandbox/health'], ''),
    /redirects to \/_sandbox\/health|different/,
  ],
};
