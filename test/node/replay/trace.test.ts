import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { FileError } from '../../../src/node/files/file-error.js';
import { readTraceFile } from '../../../src/node/replay/recordings.js';
import { folder } from '../../support/folder.js';
import { fileWith } from './support.js';

const ENTRY = {
  At: '2026-01-01T00:00:00.000Z',
  Method: 'POST',
  Path: '/charge/card',
  Query: '',
  Headers: { 'content-type': 'application/json', 'x-sandbox-outcome': 'approve' },
  Body: { Amount: 5 },
  Status: 200,
  Response: { ChargeId: 'x' },
};
const TRACE = {
  Format: 'playmoney-trace',
  Version: 1,
  Seed: '1',
  Clock: { Now: '2026-01-01T00:00:00.000Z', Mode: 'manual', Rate: 0 },
  Evicted: 3,
  Entries: [ENTRY],
};
const BUNDLE = { Format: 'playmoney-bundle', Version: 1 };

async function refusal(file: string): Promise<string> {
  const error: unknown = await readTraceFile(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FileError);
  return (error as Error).message.replace(file, 'FILE');
}

test('a trace is read whole', async () => {
  const cut = { ...ENTRY, Fault: 'truncate', Truncated: true, RequestTruncated: true, Body: null };
  const trace = await readTraceFile(fileWith({ ...TRACE, Entries: [ENTRY, cut] }));
  const entry = {
    at: Date.UTC(2026, 0, 1),
    method: 'POST',
    path: '/charge/card',
    query: '',
    headers: ENTRY.Headers,
    body: { Amount: 5 },
    status: 200,
    response: { ChargeId: 'x' },
    fault: null,
    isTruncated: false,
    isRequestTruncated: false,
    isUndone: false,
    lost: null,
    requestLost: null,
    shown: {
      realAt: Date.UTC(2026, 0, 1),
      durationMs: 0,
      operation: null,
      requestId: '',
      reference: null,
      trigger: null,
      rule: null,
      precedence: null,
      warning: null,
      created: null,
      dialect: null,
      dialectBy: null,
    },
  };
  const entries = [
    entry,
    { ...entry, body: null, fault: 'truncate', isTruncated: true, isRequestTruncated: true },
  ];
  expect(trace).toEqual({ clockMode: 'manual', evicted: 3, entries, recorded: entries });
});

test('a trace that begins with a byte order mark is read, as programs on Windows write it', async () => {
  const file = fileWith(TRACE);
  writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
  expect((await readTraceFile(file)).entries).toHaveLength(1);
});

test('the trace of a bundle is read from it', async () => {
  const file = fileWith({ ...BUNDLE, Trace: TRACE });
  expect((await readTraceFile(file)).entries).toHaveLength(1);
});

describe('what is not a trace is refused with a message', () => {
  const NOT_ONE = 'is not a trace, bundle, journal or HAR';
  const TRACES = 'that of a trace is "playmoney-trace"';
  const NEWER = 'but this playmoney reads only version 1. Use a newer playmoney';
  const ONLY = 'entry 1: a trace may only have the headers content-type and x-sandbox-…';
  test.each<[string, unknown, string]>([
    ['text', 'hello', 'FILE:1:1: not valid JSON: Found a letter, expected '],
    ['a scenario', 'name: x\n', ' The file must be a trace, bundle, journal or HAR'],
    ['JSON that breaks off', '{\n "Format": "playmoney-trace",\n', 'FILE:3:1: not valid JSON: '],
    ['nothing', '', 'FILE:1:1: not valid JSON: '],
    ['a list', [], `FILE ${NOT_ONE}: it must contain a JSON object`],
    ['an HTTP archive', { log: {} }, 'FILE: log.entries must be a list of objects'],
    ['an object', {}, `FILE ${NOT_ONE}: it has no field Format; ${TRACES}`],
    ['another format', { Format: 'x' }, `${NOT_ONE}: its Format is "x"; ${TRACES}`],
    ['a state', { Format: 'playmoney-state' }, `FILE ${NOT_ONE}: it is the state of a world. GET`],
    ['a newer version', { ...TRACE, Version: 2 }, `FILE is a trace of version 2, ${NEWER}`],
    [
      'an unknown version',
      { ...TRACE, Version: '1' },
      'FILE is a trace of an unknown version; this playmoney reads',
    ],
    ['a newer bundle', { ...BUNDLE, Version: 2, Trace: TRACE }, `FILE is a bundle of version 2, ${NEWER}`],
    ['a bundle without a trace', BUNDLE, 'FILE is not a trace: it must contain a JSON object'],
    ['no entries', { ...TRACE, Entries: {} }, 'FILE: Entries must be a list'],
    ['no clock', { ...TRACE, Clock: 5 }, 'FILE: Clock.Mode must be a string'],
    ['no count of evicted calls', { ...TRACE, Evicted: 'x' }, 'FILE: Evicted must be a number of calls'],
    ['a part of an evicted call', { ...TRACE, Evicted: 0.5 }, 'FILE: Evicted must be a number of calls'],
    [
      'too many entries',
      { ...TRACE, Entries: Array(100_001).fill(0) },
      'entries: 100001; the maximum is 100000',
    ],
    ['an entry that is none', { ...TRACE, Entries: [ENTRY, 5] }, 'FILE: entry 2 must be an object'],
  ])('%s', async (_, content, message) => {
    expect(await refusal(fileWith(content))).toContain(message);
  });

  test.each<[object, string]>([
    [{ At: 'now' }, 'entry 1: At must be a date and time'],
    [{ At: undefined }, 'entry 1: At must be a string'],
    [{ Method: 'CONNECT' }, 'entry 1: Method must be an HTTP method, not "CONNECT"'],
    [{ Path: '@evil.example/' }, 'entry 1: Path must begin with a slash'],
    [{ Query: null }, 'entry 1: Query must be a string'],
    [{ Status: '200' }, 'entry 1: Status must be an HTTP status, or 0'],
    [{ Status: 700 }, 'entry 1: Status must be an HTTP status, or 0'],
    [{ Headers: [] }, 'entry 1: Headers must be an object'],
    [{ Headers: { cookie: 'a' } }, `${ONLY}, not "cookie"`],
    [{ Headers: { 'x-sandbox-admin': 'a' } }, `${ONLY}, not "x-sandbox-admin"`],
    [{ Headers: { 'content-type': 'a\r\nb: c' } }, 'content-type must be a string of ASCII characters'],
  ])('an entry with %j', async (members, message) => {
    expect(await refusal(fileWith({ ...TRACE, Entries: [{ ...ENTRY, ...members }] }))).toContain(message);
  });

  test('a file that is not there', async () => {
    expect(await refusal('/nowhere/trace.json')).toBe('cannot read FILE: no such file');
    expect(await refusal(folder())).toBe('cannot read FILE: it is a folder');
  });

  test('and its content is not repeated', async () => {
    const message = await refusal(fileWith('{"CardNumber": 4539578763621486x}'));
    expect(message).not.toContain('4539578763621486');
  });
});
