import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { BATCH_TRANSITIONS, CREATED_FOR, RECEIVED_FOR, rowDoneAt } from '../src/records/batch.js';
import { CHARGE_STATUSES, DEFAULT_AUTHORISATION_TTL } from '../src/records/charge.js';
import { ANSWER_WORDS } from '../src/core/dialect/sdk.js';
import { ADVANCE_TIMEOUT_MS, TIMEOUT_MS } from '../src/webhooks/send-attempt.js';
import { RETRY_AFTER_MS } from '../src/webhooks/delivery.js';
import { client, START, testSandbox } from './support/sandbox.js';

const DOCS = join(import.meta.dirname, '../docs');
const PICTURES = readdirSync(join(DOCS, 'pictures'))
  .filter((name) => name.endsWith('.svg'))
  .map((name) => name.replace('.svg', ''));
const SIZE_MAX = 6_000;

const read = (name: string) => readFileSync(join(DOCS, 'pictures', `${name}.svg`), 'utf8');

/** The texts of a picture, in the order of its file, without marks of type. */
const textsOf = (name: string) =>
  [...read(name).matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
    text.replaceAll(/<[^>]*>/g, ''),
  );

const styleOf = (name: string) => /<style>[\s\S]*<\/style>\n<marker[\s\S]*?<\/marker>/.exec(read(name))?.[0];

/** What is wrong with the tags of a text; null: nothing. */
function faultOf(xml: string): string | null {
  const open: string[] = [];
  let rest = xml;
  for (const [tag, end, name = '', single] of xml.matchAll(
    /<(\/?)([a-z]+)(?: [\w:-]+="[^"<>&]*")*(\/?)>/gi,
  )) {
    rest = rest.replace(tag, '');
    if (end === '' && single === '') open.push(name);
    if (end !== '' && open.pop() !== name) return `${tag} ends nothing`;
  }
  if (open.length > 0) return `<${open.join('> <')}> has no end`;
  return /[<>&]/.test(rest) ? `not XML: ${rest.trim()}` : null;
}

test.each(PICTURES)('%s is small, well-formed, and has a text that says what it shows', (name) => {
  const svg = read(name);
  expect(faultOf(svg)).toBeNull();
  expect(svg.length).toBeLessThan(SIZE_MAX);
  const [, title, desc] = /^<svg [^>]*role="img" aria-labelledby="([\w-]+) ([\w-]+)">/.exec(svg) ?? [];
  expect(svg).toMatch(new RegExp(`<title id="${title}">.+</title>\n<desc id="${desc}">.+</desc>`));
});

test('All pictures have one style, for light and dark.', () => {
  expect(new Set(PICTURES.map(styleOf)).size).toBe(1);
  expect(styleOf('architecture')).toContain('prefers-color-scheme:dark');
});

test('Each picture stands on a page, with a text in its place.', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(DOCS, name), 'utf8'))
    .join('\n');
  const shown = [...pages.matchAll(/!\[[^\]]{20,}\]\((?:\.\.\/)*pictures\/([\w-]+)\.svg\)/g)].map(
    ([, name]) => name,
  );
  // A picture can stand on two pages.
  expect(new Set(shown)).toEqual(new Set(PICTURES));
});

test('The life of a charge has every status, and how long an authorisation lasts.', () => {
  const texts = textsOf('charge-life');
  expect(texts).toEqual(expect.arrayContaining([...CHARGE_STATUSES]));
  expect(texts).toContain(`${ANSWER_WORDS.get('Status')?.get('Authorised')} in sdk`);
  expect(texts).toContain(`void, or ${DEFAULT_AUTHORISATION_TTL / 86_400_000} days`);
});

test('The life of a batch has every status, and its pace.', () => {
  const texts = textsOf('batch-life');
  expect(texts).toEqual(expect.arrayContaining(Object.keys(BATCH_TRANSITIONS)));
  const rows = { count: 10, pace: null };
  const start = RECEIVED_FOR + CREATED_FOR;
  const instants = [0, RECEIVED_FOR, start, rowDoneAt(rows, start, 9)].map((ms) => `${ms / 1000} s`);
  expect(texts).toEqual(expect.arrayContaining(instants));
  expect(texts).toContain(
    `${rowDoneAt(rows, 0, 0)} ms a row, here 10 rows; more than 300 rows: ${rowDoneAt({ ...rows, count: 301 }, 0, 300) / 1000} s in all`,
  );
  expect(rowDoneAt({ ...rows, count: 300 }, 0, 299)).toBe(300 * rowDoneAt(rows, 0, 0));
});

test('The retries of a webhook come when they do.', () => {
  const texts = textsOf('webhook-retries');
  const instants = RETRY_AFTER_MS.reduce((all, wait) => [...all, (all.at(-1) ?? 0) + wait], [START]);
  expect(texts.filter((text) => /^20.*Z$/.test(text))).toEqual(
    instants.map((instant) => new Date(instant).toISOString().replace('.000', '')),
  );
  expect(texts.filter((text) => text.endsWith(' later'))).toEqual(RETRY_AFTER_MS.map(laterOf));
  expect(texts.join(' ')).toContain(
    `no answer in ${TIMEOUT_MS / 1000} s of real time, or in ${ADVANCE_TIMEOUT_MS / 1000} s while`,
  );
});

function laterOf(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s later`;
  return ms < 3_600_000 ? `${ms / 60_000} min later` : `${ms / 3_600_000} h later`;
}

test('Who decides an outcome does so in the order of the picture.', async () => {
  const { charge, play, queue, advance } = client(testSandbox());
  const rule = { name: 'too much', when: { operation: 'charge.create' }, then: { outcome: 'card_blocked' } };
  const timeline = [
    { at: '+1s', do: { providerDown: 'flaky' } },
    { at: '+2s', do: { providerUp: 'flaky' } },
  ];
  await play({ name: 'all at once', rules: [{ ...rule, times: 1 }], timeline });
  await queue('charge.create', ['approve']);
  await advance('1s');
  const decides = async (CardNumber: string, headers = {}) => {
    const ProviderId = '00000000000000000000000000000004';
    const card = { CardNumber, ExpiryDate: '10/30' };
    const answer = await charge({ Amount: 20, ProviderId, PaymentInformation: card }, headers);
    const trigger = answer.headers.get('x-sandbox-trigger') ?? 'no header';
    return trigger.replace(/[0-9a-f]{32}/, '…');
  };
  const decided = [
    await decides('4000000000009995', { 'x-sandbox-outcome': 'do_not_honor' }),
    await decides('4000000000009995'),
    await decides('4000000000009995'),
  ];
  await advance('1s');
  decided.push(await decides('4000000000009995'), await decides('4000000000009995'));
  // The third that reaches the provider fails; the fourth does not.
  const approved = [await decides('4111111111111111'), await decides('4111111111111111')];
  expect(approved).toEqual(['no header', 'no header']);
  decided.push(await decides('4111111111111111'), await decides('4111111111111111'));
  const texts = textsOf('who-decides');
  expect(texts.slice(-2 - decided.length, -2)).toEqual(decided);
});
