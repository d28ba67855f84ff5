import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { origin } from './origin.js';

/**
 * What the cases of the web-platform tests below `xhr/` assert, by their names. Each runs with the XMLHttpRequest of the browser and
 * with that of the sandbox, and both must have the same log.
 */
const CASES = {
  'send-send': (xhr, log) => {
    xhr.open('POST', log.url);
    xhr.send('one');
    log.attempt('second send', () => xhr.send('two'));
  },
  'send-before-open': (xhr, log) => {
    log.attempt('send', () => xhr.send());
    log.end();
  },
  'open-send-open': (xhr, log) => {
    xhr.open('POST', log.url);
    xhr.send('one');
    xhr.open('POST', log.url);
    log.end(200);
  },
  'open-during-abort': (xhr, log) => {
    let isFirst = true;
    xhr.addEventListener('readystatechange', () => {
      if (xhr.readyState !== 4 || !isFirst) return;
      isFirst = false;
      xhr.open('GET', log.url);
    });
    xhr.open('GET', log.url);
    xhr.send();
    xhr.abort();
    log.note('after abort', xhr.readyState);
    log.end(200);
  },
  'abort-after-send': (xhr, log) => {
    xhr.open('POST', log.url);
    xhr.send('one');
    xhr.abort();
    log.note('after abort', xhr.readyState, xhr.status, xhr.statusText, xhr.getAllResponseHeaders());
    log.end(200);
  },
  'abort-during-open': (xhr, log) => {
    xhr.open('GET', log.url);
    xhr.abort();
    log.note('after abort', xhr.readyState);
    log.end();
  },
  'abort-during-unsent': (xhr, log) => {
    xhr.abort();
    log.note('after abort', xhr.readyState);
    log.end();
  },
  'abort-during-loadstart': (xhr, log) => {
    xhr.addEventListener('loadstart', () => xhr.abort());
    xhr.open('POST', log.url);
    xhr.send('one');
    log.note('after send', xhr.readyState);
    log.end(200);
  },
  'abort-during-headers-received': (xhr, log) => {
    xhr.addEventListener('readystatechange', () => {
      if (xhr.readyState !== 2) return;
      xhr.abort();
      log.note('after abort', xhr.readyState, xhr.status);
    });
    xhr.open('GET', log.url);
    xhr.send();
    log.end(200);
  },
  'abort-during-loading': (xhr, log) => {
    xhr.addEventListener('readystatechange', () => {
      if (xhr.readyState !== 3) return;
      xhr.abort();
      log.note('after abort', xhr.readyState, xhr.status, xhr.responseText);
    });
    xhr.open('GET', log.url);
    xhr.send();
    log.end(200);
  },
  'abort-during-done': (xhr, log) => {
    xhr.addEventListener('loadend', () => {
      xhr.abort();
      log.note('after abort', xhr.readyState, xhr.status, xhr.responseText, xhr.responseURL);
    });
    xhr.open('GET', log.url);
    xhr.send();
  },
  'abort-upload-event-abort': (xhr, log) => {
    xhr.upload.addEventListener('loadstart', () => xhr.abort());
    xhr.open('POST', log.url);
    xhr.send('one');
    log.end(200);
  },
  'event-upload-progress': (xhr, log) => {
    xhr.open('POST', log.url);
    xhr.send('a body of ä bytes');
  },
  'send-entity-body-get-head': (xhr, log) => {
    xhr.open('GET', log.url);
    xhr.send('a body that is not sent');
  },
  'event-timeout': (xhr, log) => {
    xhr.open('GET', log.slow);
    xhr.timeout = 30;
    xhr.send();
  },
  'timeout-multiple-fetches': (xhr, log) => {
    xhr.timeout = 30;
    xhr.open('GET', log.slow);
    xhr.send();
    xhr.open('GET', log.slow);
    log.end(200);
  },
  'setrequestheader-after-send': (xhr, log) => {
    xhr.open('GET', log.url);
    xhr.send();
    log.attempt('header', () => xhr.setRequestHeader('x-test', '1'));
  },
  'setrequestheader-bogus-name': (xhr, log) => {
    xhr.open('GET', log.url);
    for (const name of ['', ' ', 'a:b', 'ä']) log.attempt(name, () => xhr.setRequestHeader(name, '1'));
    log.end();
  },
  'setrequestheader-before-open': (xhr, log) => {
    log.attempt('header', () => xhr.setRequestHeader('x-test', '1'));
    log.end();
  },
  'open-method-bogus': (xhr, log) => {
    for (const name of ['', ' ', 'GE T', 'G\nT']) log.attempt(name, () => xhr.open(name, log.url));
    log.end();
  },
  'open-method-insecure': (xhr, log) => {
    for (const name of ['TRACE', 'track', 'CONNECT']) log.attempt(name, () => xhr.open(name, log.url));
    log.end();
  },
  'responsetype-set-while-loading': (xhr, log) => {
    xhr.addEventListener('readystatechange', () =>
      log.attempt(`type in ${xhr.readyState}`, () => (xhr.responseType = 'text')),
    );
    xhr.open('GET', log.url);
    xhr.send();
  },
  'responsetext-decoding': (xhr, log) => {
    xhr.responseType = 'json';
    xhr.open('GET', log.url);
    xhr.addEventListener('loadend', () => log.attempt('text', () => xhr.responseText));
    xhr.send();
  },
  'overridemimetype-done-state': (xhr, log) => {
    xhr.addEventListener('loadend', () => log.attempt('type', () => xhr.overrideMimeType('text/plain')));
    xhr.open('GET', log.url);
    xhr.send();
  },
  'xmlhttprequest-withcredentials-wrong-state': (xhr, log) => {
    xhr.open('GET', log.url);
    xhr.send();
    log.attempt('after send', () => (xhr.withCredentials = true));
  },
} satisfies Record<string, (xhr: XMLHttpRequest, log: CaseLog) => void>;

/** Chromium tells `upload` how a call without a body failed, and of progress after an abort; the standard has neither. */
function asInStandard(log: readonly unknown[], hasBody: boolean): readonly unknown[] {
  const isOf = (entry: unknown, ...what: unknown[]) =>
    what.every((one, n) => (entry as unknown[])[n] === one);
  return log.filter((entry) => !isOf(entry, 'xhr', 'progress', 0) && (hasBody || !isOf(entry, 'upload')));
}

interface CaseLog {
  readonly url: string;
  readonly slow: string;
  note(...what: unknown[]): void;
  attempt(what: string, work: () => unknown): void;
  /** The case has no `loadend` of its own, or goes on for so many milliseconds. */
  end(ms?: number): void;
}

/** Runs in a page. */
function runCase([code, url, slow]: readonly [string, string, string]): Promise<unknown[]> {
  const all: unknown[] = [];
  const xhr = new XMLHttpRequest();
  const events = ['loadstart', 'progress', 'load', 'error', 'timeout', 'abort', 'loadend'];
  const tell =
    (of: string) =>
    (event: Event): void => {
      const { type, loaded, total, lengthComputable } = event as ProgressEvent;
      // How long an answer is differs between the two.
      all.push(of === 'upload' ? [of, type, loaded, total, lengthComputable] : [of, type, xhr.readyState]);
    };
  xhr.addEventListener('readystatechange', () => all.push(xhr.readyState));
  for (const type of events) xhr.addEventListener(type, tell('xhr'));
  for (const type of events) xhr.upload.addEventListener(type, tell('upload'));
  return new Promise((resolve) => {
    let isOver = false;
    const end = (ms = 0): void => {
      isOver = true;
      setTimeout(() => resolve(all), ms);
    };
    xhr.addEventListener('loadend', () => isOver || end(20));
    const log: CaseLog = {
      url,
      slow,
      note: (...what) => all.push(what),
      attempt: (what, work) => {
        try {
          work();
          all.push([what, 'passed']);
        } catch (error) {
          all.push([what, (error as Error).name]);
        }
      },
      end,
    };
    // oxlint-disable-next-line no-eval -- a page gets the text of a case, once for each XMLHttpRequest.
    (globalThis.eval(`(${code})`) as (one: XMLHttpRequest, log: CaseLog) => void)(xhr, log);
  });
}

describe.skipIf(CHROMIUM === undefined)('XMLHttpRequest in a page', () => {
  const site = origin();

  test('does what the web-platform tests assert, as the one of the browser does', async () => {
    const page = await site.open();
    await page.evaluate(async () => {
      const sandbox = await tools.openSandbox({ database: null });
      sandbox.intercept('/gateway', { key: 'sk_test_shop' });
      await sandbox.world('sk_test_shop').outcomes.queue('info.read', [{ fault: 'hang' }, { fault: 'hang' }]);
    });
    const at = site.url();
    const differing: unknown[] = [];
    for (const [name, run] of Object.entries(CASES)) {
      const own = await page.evaluate(runCase, [run.toString(), `${at}/elsewhere`, `${at}/slow`] as const);
      const ours = await page.evaluate(runCase, [
        run.toString(),
        `${at}/gateway/charge`,
        `${at}/gateway/info`,
      ] as const);
      const [expected, found] = [asInStandard(own, run.toString().includes('POST')), ours].map((log) =>
        JSON.stringify(log),
      );
      if (found !== expected) differing.push([name, found, expected]);
    }
    expect(differing).toEqual([]);
    expect(Object.keys(CASES).length).toBeGreaterThan(20);
  }, 60_000);

  test('sends one charge, tells axios about the upload, and keeps the address in a copy of the answer', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async () => {
      const base = document.createElement('base');
      base.href = '/gateway/v1/';
      document.head.append(base);
      const sandbox = await tools.openSandbox({ database: null });
      sandbox.intercept('/gateway/v1', { key: 'sk_test_shop' });
      const xhr = new XMLHttpRequest();
      const uploads: string[] = [];
      xhr.upload.addEventListener('progress', ({ loaded, total }) => uploads.push(`${loaded} of ${total}`));
      xhr.open('POST', 'charge/token');
      xhr.setRequestHeader('content-type', 'application/json');
      const ended = new Promise((resolve) => xhr.addEventListener('loadend', resolve));
      xhr.send('{"Amount":5,"Token":"tok_approve"}');
      let second = '';
      try {
        xhr.send('{"Amount":5,"Token":"tok_approve"}');
      } catch (error) {
        second = (error as Error).name;
      }
      await ended;
      const copy = (await fetch('charge')).clone();
      return {
        status: xhr.status,
        uploads,
        second,
        charges: (await sandbox.world('sk_test_shop').charges()).length,
        copy: [copy.url, copy.clone().url].map((url) => new URL(url).pathname),
      };
    });
    expect(seen).toEqual({
      status: 201,
      uploads: ['34 of 34'],
      second: 'InvalidStateError',
      charges: 1,
      copy: ['/gateway/v1/charge', '/gateway/v1/charge'],
    });
  });
});

/** The same for cases below `fetch/`. */
const FETCHES = {
  'request-consume (a body is used once)': async (url: string) => {
    const request = new Request(url, { method: 'POST', body: 'text' });
    await fetch(request);
    return [request.bodyUsed, await fetch(request).catch((error: unknown) => (error as Error).name)];
  },
  'abort/general: already aborted signal rejects immediately': (url: string) =>
    fetch(url, { signal: AbortSignal.abort() }),
  'abort/general: signal of the request': (url: string) =>
    fetch(new Request(url, { signal: AbortSignal.abort() })),
  'abort/general: the reason of the signal': (url: string) =>
    fetch(url, { signal: AbortSignal.abort(new RangeError('mine')) }),
  'request-init-002: a body with GET': (url: string) => fetch(url, Object.fromEntries([['body', 'text']])),
  'request-bad-port, request-error: a method that is none': (url: string) => fetch(url, { method: 'GE T' }),
  'request-error: a forbidden method': (url: string) => fetch(url, { method: 'TRACE' }),
  'headers-errors: a name that is none': (url: string) => fetch(url, { headers: { 'a b': '1' } }),
  'request-error: credentials in the address': (url: string) => fetch(url.replace('//', '//me:secret@')),
  'response-clone: the address': async (url: string) => {
    const answer = await fetch(`${url}#part`);
    return [answer.clone().url === url, answer.url === url, answer.redirected, answer.bodyUsed];
  },
  'request-headers: keepalive': async (url: string) => (await fetch(url, { keepalive: true })).bodyUsed,
};

describe.skipIf(CHROMIUM === undefined)('fetch in a page', () => {
  const site = origin();

  test('does what the web-platform tests assert, as the one of the browser does', async () => {
    const page = await site.open();
    await page.evaluate(async () => {
      (await tools.openSandbox({ database: null })).intercept('/gateway', { key: 'sk_test_shop' });
    });
    const run = ([code, url]: readonly [string, string]) =>
      // oxlint-disable-next-line no-eval -- a page gets the text of a case, once for each XMLHttpRequest.
      (globalThis.eval(`(${code})`) as (to: string) => Promise<unknown>)(url).then(
        (seen) => JSON.stringify(seen),
        (error: unknown) => (error as Error).name,
      );
    const differing: unknown[] = [];
    for (const [name, one] of Object.entries(FETCHES)) {
      const own = await page.evaluate(run, [one.toString(), `${site.url()}/elsewhere`] as const);
      const ours = await page.evaluate(run, [one.toString(), `${site.url()}/gateway/charge`] as const);
      if (own !== ours) differing.push([name, ours, own]);
    }
    expect(differing).toEqual([]);
  });
});
