import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { client, good, testSandbox } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';
import { cells } from '../../support/tables.js';

/** The most characters that the page loads at first, that it loads later, and those of both together, compressed. */
const FIRST_LOAD_MAX = 150_000;
const LATER_LOAD_MAX = 60_000;
const COMPRESSED_MAX = 70_000;
const FIRST_LOAD = ['dashboard.js', 'dashboard-chunk.js', 'dashboard.css'];
const LATER_LOAD = ['dashboard-later.js'];

describe('GET /_sandbox', () => {
  test.each(['/_sandbox', '/_sandbox/'])('%s is a page without a key, and opens no world', async (path) => {
    const sandbox = testSandbox();
    const { status, headers, text } = await client(sandbox, null).get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(sandbox.worlds.size).toBe(0);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=")|<style|\son\w+=|\sstyle=|https?:/i);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded.toSorted()).toEqual([
      '/_sandbox/dashboard.css',
      '/_sandbox/dashboard.js',
      expect.stringMatching(/^data:image\/svg\+xml,/),
    ]);
  });

  test('takes the key of a world in its address, under any spelling, and opens no world', async () => {
    const sandbox = testSandbox();
    for (const query of ['?key=sk_test_demo', '?Key=sk_test_demo']) {
      const { status, text } = await client(sandbox, null).get(`/_sandbox${query}`);
      expect(status).toBe(200);
      expect(text).not.toContain('sk_test_demo');
    }
    expect(sandbox.worlds.size).toBe(0);
  });

  test('a browser may load nothing but what is ours, and take no text for markup', async () => {
    const { headers } = await client(testSandbox(), null).get('/_sandbox');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(cells`
        default-src 'none'|script-src 'self'|style-src 'self'|connect-src 'self'|frame-ancestors 'none'|
        base-uri 'none'|form-action 'none'|require-trusted-types-for 'script'
      `),
    );
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('names the operations that can have an outcome', async () => {
    const { text } = await client(testSandbox(), null).get('/_sandbox');
    const [, names = ''] = /data-operations="([^"]*)"/.exec(text) ?? [];
    expect(names.split(' ')).toEqual(
      expect.arrayContaining(['charge.create', 'charge.refund', 'customer.create']),
    );
    expect(names).not.toContain('charge.read');
  });

  test('names the faults that an answer can have', async () => {
    const { text } = await client(testSandbox(), null).get('/_sandbox');
    const [, names = ''] = /data-faults="([^"]*)"/.exec(text) ?? [];
    expect(names).toBe('hang reset empty truncate malformed dribble status=503');
  });

  test('scripts and styles are small, and name no other place', async () => {
    const api = client(testSandbox(), null);
    const load = async (names: readonly string[]): Promise<string> => {
      const answers = await Promise.all(names.map((name) => good(api.get(`/_sandbox/${name}`))));
      return answers.map(({ text }) => text).join('');
    };
    const [first, later] = [await load(FIRST_LOAD), await load(LATER_LOAD)];
    expect(first.length).toBeLessThan(FIRST_LOAD_MAX);
    expect(later.length).toBeLessThan(LATER_LOAD_MAX);
    expect(gzipSync(first + later).length).toBeLessThan(COMPRESSED_MAX);
    expect(first + later).not.toMatch(/https?:\/\/(?!www\.w3\.org|127\.0\.0\.1)/);
    expect(first).toMatch(/import\("\.\/dashboard-later\.js"\)/);
  });

  test('takes no other query and no other method', async () => {
    const api = client(testSandbox(), null);
    expectRefused(await api.get('/_sandbox?word=1'), 400, 90);
    expectRefused(await api.post('/_sandbox', {}), 405, 90);
  });

  test('page and script load without the admin token, which nothing else of the dashboard does', async () => {
    const api = client(testSandbox({ adminToken: 'secret' }), 'sk_test_a');
    for (const path of ['', '/', ...[...FIRST_LOAD, ...LATER_LOAD].map((name) => `/${name}`)]) {
      await good(api.get(`/_sandbox${path}`));
    }
    for (const path of ['/live', '/worlds', '/records/charges', '/journal/1', '/triggers']) {
      expectRefused(await api.get(`/_sandbox${path}`), 403, 40);
    }
  });
});
