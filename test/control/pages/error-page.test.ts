import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';

describe('a refusal', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const api = client(testSandbox(), null);

  test.each([
    ['/_sandbox/pay/0123/0123', 404, 'world'],
    ['/_sandbox/world', 401, 'key'],
    ['/_sandbox/chekout', 404, 'Did you mean /_sandbox/checkout'],
    ['/_sandbox/referense', 404, 'Did you mean /_sandbox/reference'],
    ['/_sandbox/reference/chargeCart', 404, 'no operation or schema chargeCart'],
  ])(
    'of %s is a page for a person’s browser, which says why and leads to the dashboard',
    async (path, expected, why) => {
      const { status, headers, text } = await api.get(path, { accept });
      expect([status, headers.get('content-type')]).toEqual([expected, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
      expect(text).toContain('<h1>This page cannot be shown</h1>');
      expect(text).toContain(why);
      expect(text).toContain('href="/_sandbox"');
      const { status: forPrograms } = await api.get(path);
      expect(forPrograms).toBe(expected);
    },
  );

  test('of a call of the service stays JSON', async () => {
    const { status, headers } = await api.get('/charge/0123', { accept });
    expect([status, headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });

  test('names what was sent as text, not as markup', async () => {
    const { text } = await api.get('/_sandbox/reference/%3Cb%3Ebold', { accept });
    expect(text).not.toContain('<b>bold');
  });
});
