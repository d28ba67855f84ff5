import { describe, expect, test } from 'vitest';

import { FileError } from '../../../src/node/state/whole-file.js';
import { readTraceFile } from '../../../src/node/replay/trace.js';
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

async function refusal(file: string): Promise<string> {
  const error: unknown = await readTraceFile(file).then(
    () => null,
    (thrown: unknown) => thrown,
  );
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
  };
  expect(trace).toEqual({
    clockMode: 'manual',
    evicted: 3,
    entries: [
      entry,
      { ...entry, body: null, fault: 'truncate', isTruncated: true, isRequestTruncated: true },
    ],
  });
});

test('the trace of a bundle is read from it', async () => {
  const file = fileWith({ Format: 'playmoney-bundle', Version: 1, Trace: TRACE });
  expect((await readTraceFile(file)).entries).toHaveLength(1);
});

describe('what is not a trace is refused with a message', () => {
  test.each<[string, unknown, string]>([
    ['text', 'hello', 'FILE:1:1: this is no JSON: Found a letter, expected '],
    ['JSON that breaks off', '{\n "Format": "playmoney-trace",\n', 'FILE:3:1: this is no JSON: '],
    ['nothing', '', 'FILE:1:1: this is no JSON: '],
    ['a list', [], 'FILE is no trace: it holds no JSON object'],
    [
      'an HTTP archive',
      { log: {} },
      'FILE is no trace: it is an HTTP archive; export the journal with Format=trace',
    ],
    ['an object', {}, 'FILE is no trace: it has no Format playmoney-trace'],
    ['another format', { Format: 'x' }, 'FILE is no trace: its Format is "x", not playmoney-trace'],
    [
      'a state',
      { Format: 'playmoney-state' },
      'FILE is no trace: it is a state document; a trace comes from GET',
    ],
    [
      'a newer version',
      { ...TRACE, Version: 2 },
      'FILE is a trace of version 2, which is newer than this program; it reads version 1',
    ],
    [
      'an unknown version',
      { ...TRACE, Version: '1' },
      'FILE is a trace of an unknown version; this program reads',
    ],
    [
      'a newer bundle',
      { Format: 'playmoney-bundle', Version: 2, Trace: TRACE },
      'FILE is a bundle of version 2, which is newer than this program; it reads version 1',
    ],
    [
      'a bundle without a trace',
      { Format: 'playmoney-bundle', Version: 1 },
      'FILE is no trace: it holds no JSON object',
    ],
    ['no entries', { ...TRACE, Entries: {} }, 'FILE: Entries is no list'],
    ['no clock', { ...TRACE, Clock: 5 }, 'FILE: it has no Clock'],
    ['no count of evicted calls', { ...TRACE, Evicted: 'x' }, 'FILE: Evicted is no number'],
    [
      'too many entries',
      { ...TRACE, Entries: Array(100_001).fill(0) },
      'FILE: it has 100001 entries; 100000 are the most',
    ],
    ['an entry that is none', { ...TRACE, Entries: [ENTRY, 5] }, 'FILE: entry 2 is no object'],
  ])('%s', async (_, content, message) => {
    expect(await refusal(fileWith(content))).toContain(message);
  });

  test.each<[object, string]>([
    [{ At: 'now' }, 'entry 1: its At is no date-time'],
    [{ At: undefined }, 'entry 1: At is no text'],
    [{ Method: 'CONNECT' }, 'entry 1: its Method is "CONNECT"'],
    [{ Path: '@evil.example/' }, 'entry 1: its Path does not begin with a slash'],
    [{ Query: null }, 'entry 1: Query is no text'],
    [{ Status: '200' }, 'entry 1: its Status is none of HTTP'],
    [{ Status: 700 }, 'entry 1: its Status is none of HTTP'],
    [{ Headers: [] }, 'entry 1: Headers is no object'],
    [
      { Headers: { cookie: 'a' } },
      'entry 1: a trace has the headers content-type and x-sandbox-… alone, not "cookie"',
    ],
    [{ Headers: { 'x-sandbox-admin': 'a' } }, 'alone, not "x-sandbox-admin"'],
    [{ Headers: { 'content-type': 'a\r\nb: c' } }, 'entry 1: its header content-type is no text of ASCII'],
  ])('an entry with %j', async (members, message) => {
    expect(await refusal(fileWith({ ...TRACE, Entries: [{ ...ENTRY, ...members }] }))).toContain(message);
  });

  test('a file that is not there', async () => {
    expect(await refusal('/nowhere/trace.json')).toBe('cannot read FILE: there is no such file');
    expect(await refusal(folder())).toBe('cannot read FILE: it is a folder');
  });

  test('and what stands in it is not repeated', async () => {
    const message = await refusal(fileWith('{"CardNumber": 4539578763621486x}'));
    expect(message).not.toContain('4539578763621486');
  });
});
