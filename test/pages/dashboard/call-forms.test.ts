import { describe, expect, test } from 'vitest';

import { createSandbox, type World } from '../../../src/index.js';
import type { FullCall } from '../../../src/pages/dashboard/state/wire.js';
import { type CallForm, listCallForms } from '../../../src/pages/dashboard/text/call-forms.js';
import { findOutcomeName } from '../../../src/pages/dashboard/text/why.js';
import { storing } from '../../support/stored.js';

const open = (): World => createSandbox({ clock: { mode: 'manual' } }).world('sk_test_repeat');

/** The forms of a call that a world of its own receives. */
async function formsOf(more: object, headers: Record<string, string>, query = ''): Promise<CallForm[]> {
  const world = open();
  const body = JSON.stringify(storing({ Amount: 20, Reference: "o'hara 1", ...more }));
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  await world.fetch(`/charge/card${query}`, init).catch(() => null);
  const read = async (path: string): Promise<unknown> => (await world.fetch(path)).json();
  const call = (await read('/_sandbox/journal/1')) as FullCall;
  const triggers = (await read('/_sandbox/triggers')) as Parameters<typeof findOutcomeName>[1]['triggers'];
  if (!call.Again) throw new Error('The call cannot be repeated.');
  return listCallForms(call, call.Again, world.url, findOutcomeName(call, { triggers, scenario: null }));
}

const textOf = (forms: readonly CallForm[], name: string): string =>
  forms.find((form) => form.name === name)?.text ?? '';

/** Runs a text as the body of an async function. */
function run(text: string, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-implied-eval
  const made = new Function(...Object.keys(given), `return (async () => { ${text} })()`) as (
    ...values: unknown[]
  ) => Promise<unknown>;
  return made(...Object.values(given));
}

/** Runs the copied test against a fresh world. */
async function runTest(text: string): Promise<string> {
  const sandbox = open();
  let ran: Promise<unknown> = Promise.reject(new Error('There is no test.'));
  ran.catch(() => null);
  let title = '';
  const define = (name: string, body: (fixtures: object) => Promise<unknown>): void => {
    title = name;
    ran = body({ sandbox });
  };
  await run(text.replaceAll(/^import .*$/gm, ''), { test: define, expect });
  await ran;
  return title;
}

describe('a declined call can be repeated', () => {
  const declined = () => formsOf({}, { 'x-sandbox-outcome': 'do_not_honor' });

  test('as curl, which takes the key from the environment', async () => {
    expect(textOf(await declined(), 'curl').split('\n')).toEqual([
      `curl -s 'http://playmoney.localhost/charge/card' \\`,
      `  -H "x-secretkey: $PLAYMONEY_KEY" \\`,
      `  -H 'content-type: application/json' \\`,
      `  -H 'x-sandbox-outcome: do_not_honor' \\`,
      expect.stringContaining(String.raw`"Reference":"o'\''hara 1"}'`) as string,
    ]);
  });

  test('by fetch, which gets the same answer', async () => {
    const world = open();
    const text = `${textOf(await declined(), 'fetch')}\nreturn response.json();`;
    const answer = await run(text, {
      fetch: world.fetch.bind(world),
      process: { env: { PLAYMONEY_KEY: world.key } },
    });
    expect(answer).toMatchObject({ HttpStatus: 400, GatewayCode: '05' });
  });

  test('in a test of vitest, which passes', async () => {
    const title = await runTest(textOf(await declined(), 'test'));
    expect(title).toBe("charge of o'hara 1 is answered with 400");
  });

  test('by a rule, which gives its answer to a call without the header', async () => {
    const yaml = textOf(await declined(), 'rule');
    expect(yaml).toBe(`name: "charge of o'hara 1"
rules:
  - name: "charge of o'hara 1"
    when: { operation: charge.create, reference: "o'hara 1" }
    then: { outcome: do_not_honor }
`);
    const world = open();
    await world.scenario.use({ yaml });
    const send = async (Reference: string): Promise<number> => {
      const body = JSON.stringify(storing({ Amount: 20, Reference }));
      const headers = { 'content-type': 'application/json' };
      return (await world.fetch('/charge/card', { method: 'POST', headers, body })).status;
    };
    expect([await send("o'hara 1"), await send('another')]).toEqual([400, 201]);
  });
});

test('A lost answer is repeated by a rule with its fault, and the test expects that the call fails.', async () => {
  const forms = await formsOf({}, { 'x-sandbox-fault': 'reset' });
  expect(textOf(forms, 'rule')).toContain('then: { fault: reset }');
  expect(await runTest(textOf(forms, 'test'))).toBe("charge of o'hara 1 is answered with nothing");
});

test.each([
  ['A mistake of the caller', { Amount: -1 }, 400],
  ['An approved call', {}, 201],
])('%s has no rule, and its test passes too.', async (_, more, status) => {
  const forms = await formsOf(more, {});
  expect(forms.map(({ name }) => name)).toEqual(['curl', 'fetch', 'test']);
  expect(await runTest(textOf(forms, 'test'))).toBe(`charge of o'hara 1 is answered with ${status}`);
});

describe('A credential that the journal masks is a variable in copied texts', () => {
  const forms = () =>
    formsOf({ Webhook: { Url: 'http://localhost/hook', Authorization: 'Bearer s3cret' } }, {});

  test('of the shell in curl', async () => {
    expect(textOf(await forms(), 'curl')).toContain(`"Authorization":"'"$WEBHOOK_AUTHORIZATION"'"}`);
  });

  test('of the environment in fetch and in a test', async () => {
    for (const name of ['fetch', 'test']) {
      const text = textOf(await forms(), name);
      expect(text).toContain('"Authorization":process.env.WEBHOOK_AUTHORIZATION}');
      expect(text).not.toContain('***');
    }
  });
});

describe('A mask within a text or a query is a variable, too', () => {
  const forms = () =>
    formsOf({ Webhook: { Url: 'http://shop:s3cret@127.0.0.1:9/hook' } }, {}, '?apiKey=s3cret&page=1');

  test('of the shell in curl', async () => {
    const curl = textOf(await forms(), 'curl');
    expect(curl).toContain(`?apiKey='"$API_KEY"'&page=1'`);
    expect(curl).toContain(`"Url":"http://shop:'"$WEBHOOK_URL"'@127.0.0.1:9/hook"`);
  });

  test('of the environment in fetch and in a test', async () => {
    for (const name of ['fetch', 'test']) {
      const text = textOf(await forms(), name);
      expect(text).toContain(`?apiKey=' + process.env.API_KEY + '&page=1'`);
      expect(text).toContain('"Url":"http://shop:" + process.env.WEBHOOK_URL + "@127.0.0.1:9/hook"');
      expect(text).not.toContain('***');
    }
  });
});
