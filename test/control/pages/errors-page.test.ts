import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';

import { errorsPage } from '../../../src/control/pages/error-pages.js';
import { escapeHtml, markMatches } from '../../../src/control/pages/html.js';
import { ERROR_ROWS } from '../../../src/core/errors.js';
import { client, testSandbox } from '../../support/sandbox.js';

describe('GET /_sandbox/errors', () => {
  test('is a page that needs no key and loads nothing but what is ours', async () => {
    const { status, headers, text } = await client(testSandbox(), null).get('/_sandbox/errors');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(text).toBe(String(await errorsPage()));
    expect(text).not.toMatch(
      /<script(?![^>]*\ssrc="\/_sandbox)|<style|<img|<iframe|https?:|\son\w+=|\sstyle=/i,
    );
  });

  test('is where the Type of an error leads', async () => {
    const sandbox = testSandbox();
    const refused = await client(sandbox).get(`/charge/${'0'.repeat(32)}`);
    const [path, anchor] = String(refused.body['Type']).split('#');
    const page = await client(sandbox, null).get(String(path));
    expect([page.status, anchor]).toEqual([200, '84']);
    expect(page.text).toContain(`id="${anchor}"`);
  });

  test('has one row for each code, in order, with its message, status and whether a retry may help', async () => {
    const rows = [...(await errorsPage()).matchAll(/<tr id="(\d+)">(.*)<\/tr>/g)];
    expect(rows.map(([, code]) => Number(code))).toEqual(ERROR_ROWS.map(({ code }) => code));
    for (const [n, { message, name, httpStatus, retryable }] of ERROR_ROWS.entries()) {
      const cells = rows[n]?.[2] ?? '';
      expect(cells).toContain(`>${escapeHtml(message)}<br>`);
      expect(cells).toContain(name);
      expect(cells.replaceAll(/<td [^>]*>/g, '<td>')).toContain(
        `<td>${httpStatus}</td><td>${retryable ? 'yes' : 'no'}</td>`,
      );
    }
  });
});

describe('escaping', () => {
  test.each([
    ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
    ['plain', 'plain'],
    ['&lt;', '&amp;lt;'],
  ])('%j becomes %j', (text, escaped) => {
    expect(escapeHtml(text)).toBe(escaped);
  });

  test('is done for every value in a page that is not markup', async () => {
    const page = html`<p title="${'"&'}">${['<i>', html`<b>${"'"}</b>`, null, false, 0]}</p>`;
    expect(String(await page)).toBe('<p title="&quot;&amp;">&lt;i&gt;<b>&#39;</b>0</p>');
    const marked = markMatches('<a> `<b>`', /`([^`]+)`/, (code) => html`<code>${code}</code>`);
    expect(String(await marked)).toBe('&lt;a&gt; <code>&lt;b&gt;</code>');
  });
});
