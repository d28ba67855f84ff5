import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { RATE_MAX, RATE_MIN } from '../../src/core/time/clock.js';
import { METADATA_KEYS_MAX } from '../../src/core/store/field.js';
import { parseDuration } from '../../src/core/time/time.js';
import { SEED_LENGTH_MAX } from '../../src/control/reset-schema.js';
import { TEXT_MAX } from '../../src/http/fields/fields.js';
import { IMAGE_LENGTH_MAX } from '../../src/resources/payment-links/schema.js';
import { openApiText } from '../../src/openapi/document.js';
import { findSuccessStatus } from '../../src/http/route.js';
import { listRefusals } from '../../src/openapi/refusals.js';
import { OPERATION_ROWS } from '../../src/app/sections.js';
import { rowOf, whyOtherwise } from '../support/conformity.js';
import { client, testSandbox } from '../support/sandbox.js';

const FILE = new URL('../../docs/openapi.json', import.meta.url);
/** The size of what is served. */
const BYTES_MAX = 527_000;
/** What the reference page loads at first. */
const REFERENCE_MAX = 150_000;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: object; readonly example?: unknown };
    };
  };
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: unknown; readonly $ref?: string }>>;
}

interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const written = readFileSync(FILE, 'utf8');
const document = JSON.parse(written) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** Every mounted route, as the description writes it; what pages load is no operation. */
function mounted(): string[] {
  const all = testSandbox()
    .app.routes.filter(({ method, path }) => method !== 'ALL' && !/\.(?:js|css)$/.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  return [...new Set(all)].toSorted();
}

/** A schema without references, and without what no value by itself can break. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, not: _, ...rest } = schema as { readonly $ref?: string; readonly not?: unknown };
  if ($ref !== undefined) return whole(document.components['schemas']?.[$ref.split('/').at(-1) ?? '']);
  return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, whole(one)]));
}

/** The schema of a body's field, such as `Match.Reference`; of items the name is `*`. */
function fieldOf(method: string, path: string, field: string): unknown {
  const { requestBody } = document.paths[path]?.[method] ?? {};
  const schema = whole(requestBody?.content['application/json'].schema);
  return field.split('.').reduce<unknown>((at, name) => {
    const { properties, items } = at as { properties?: Record<string, unknown>; items?: unknown };
    return name === '*' ? items : properties?.[name];
  }, schema);
}

/** All values of a field, wherever it stands, but in examples. */
function valuesOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesOf(one, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === 'example' || key === 'examples') return [];
    return key === name && typeof one === 'string' ? [one] : valuesOf(one, name);
  });
}

describe('docs/openapi.json', () => {
  test('is what the contracts, the route table and the sandbox say', async () => {
    expect((await openApiText()) === written, 'npm run generate writes it anew').toBe(true);
  });

  test('is the same each time that it is made', async () => {
    expect((await openApiText()) === (await openApiText())).toBe(true);
  });

  test('has every operation that is mounted, and nothing else', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(mounted());
  });

  test('names each operation once, under a section that there is', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const sections = document.tags.map(({ name }) => name);
    for (const { operation } of operations) expect(sections).toContain(operation.tags[0]);
  });

  test('has a short, unique summary for each operation', () => {
    const summaries = operations.map(({ operation }) => operation.summary);
    expect(summaries.filter((text) => !/^[A-Z].{4,70}[^.]$/.test(text))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test('is written in plain words', () => {
    const texts = ['description', 'summary', 'x-server-checks'].flatMap((name) => valuesOf(document, name));
    const odd = /\b(?:told|spelt|in vain|members?|whoever|seldom|beside|unless .+ otherwise)\b/i;
    expect(texts.filter((text) => odd.test(String(text)))).toEqual([]);
  });

  test('has examples of requests that are as it describes them', () => {
    const examples = operations.flatMap(({ path, operation: { requestBody } }) => {
      const content = requestBody?.content['application/json'];
      return content?.example === undefined ? [] : [{ path, ...content }];
    });
    expect(examples.length).toBeGreaterThan(40);
    for (const { path, schema, example } of examples) {
      const reader = z.fromJSONSchema(whole(schema) as Parameters<typeof z.fromJSONSchema>[0]);
      expect(reader.safeParse(example).error?.issues ?? [], path).toEqual([]);
    }
  });

  test.each<[method: string, path: string, field: string, bounds: object]>([
    [
      'post',
      '/_sandbox/clock/advance',
      'By',
      { pattern: expect.stringMatching(/ms\|s\|m\|h\|d/), maxLength: 64 },
    ],
    [
      'post',
      '/_sandbox/settle',
      'Timeout',
      { pattern: expect.stringMatching(/ms\|s\|m\|h\|d/), maxLength: 64 },
    ],
    ['post', '/_sandbox/journal/await', 'Timeout', { pattern: expect.any(String), maxLength: 64 }],
    ['post', '/_sandbox/journal/await', 'Count', { minimum: 1, maximum: 10_000 }],
    ['put', '/_sandbox/clock', 'Rate', { minimum: RATE_MIN, maximum: RATE_MAX }],
    ['post', '/_sandbox/reset', 'Seed', { minLength: 1, maxLength: SEED_LENGTH_MAX }],
    ['post', '/_sandbox/outcomes', 'Outcomes', { minItems: 1, maxItems: 1000 }],
    ['post', '/vault', 'ExpireSeconds', { pattern: '^\\d+$', minimum: 1 }],
    [
      'post',
      '/payment_link',
      'Image',
      { pattern: expect.stringMatching(/base64/), maxLength: IMAGE_LENGTH_MAX },
    ],
    ['post', '/payment_link', 'AllowedPaymentTypes', { maxItems: 50 }],
    ['post', '/payment_link', 'AllowedPaymentTypes.*', { maxLength: TEXT_MAX }],
    ['post', '/provider', 'CostData', { maxItems: 50 }],
    ['post', '/provider', 'CostData.*.TransactionCost', { minimum: 0, exclusiveMaximum: 1e9 }],
    ['post', '/transfer', 'Transfers', { maxItems: 1000 }],
    ['post', '/charge/card', 'Metadata', { maxProperties: METADATA_KEYS_MAX }],
  ])('bounds in the body of %s %s the field %s as the server does', (method, path, field, bounds) => {
    expect(fieldOf(method, path, field)).toMatchObject(bounds);
  });

  test.each(['250ms', '1.5h', '36525d', 'PT2H', 'P1D', 'P1DT30M', 'PT1M0.5S'])(
    'takes the duration %s, as the server does',
    (text) => {
      const { pattern } = fieldOf('post', '/_sandbox/clock/advance', 'By') as { pattern: string };
      expect([parseDuration(text) !== undefined, new RegExp(pattern).test(text)]).toEqual([true, true]);
    },
  );

  test.each(['2 h', 'h', '2w', 'P', 'PT', 'P1DT', 'P1M', '-1s', '1.s'])(
    'takes no duration %s, nor does the server',
    (text) => {
      const { pattern } = fieldOf('post', '/_sandbox/clock/advance', 'By') as { pattern: string };
      expect([parseDuration(text) !== undefined, new RegExp(pattern).test(text)]).toEqual([false, false]);
    },
  );

  test('describes each operation in at least one sentence', () => {
    const descriptions = operations.map(({ operation }) => operation.description ?? '');
    expect(descriptions.filter((text) => !/^[A-Z].+\.$/.test(text))).toEqual([]);
  });

  test('lists 413 and 415 wherever a body is read', () => {
    for (const { path, operation } of operations) {
      if (operation.requestBody === undefined) continue;
      expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(['413', '415']));
    }
  });

  test('names the filters that the specification names as it does', () => {
    const namesOf = (path: string): unknown[] =>
      (document.paths[path]?.['get']?.parameters ?? []).map(
        ({ $ref = '' }) => document.components['parameters']?.[$ref.split('/').at(-1) ?? ''],
      );
    expect(namesOf('/charge')).toContainEqual(expect.objectContaining({ in: 'query', name: 'reference' }));
    expect(namesOf('/customer')).toContainEqual(expect.objectContaining({ in: 'query', name: 'email' }));
  });

  const valued = (...names: string[]) => ({
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { not: { type: 'null' } }])),
  });

  test.each<[method: string, path: string, rule: object]>([
    ['post', '/vault', { not: valued('ExpireSeconds', 'ExpireDate') }],
    ['post', '/customer/card', { not: valued('VaultExpireSeconds', 'VaultExpireDate') }],
    ['post', '/token/card', { not: valued('VaultExpireSeconds', 'VaultExpireDate') }],
    [
      'post',
      '/payment_method/vault',
      { anyOf: [valued('PaymentMethodId'), valued('VaultId', 'ExpiryDate')] },
    ],
    ['put', '/_sandbox/scenario', { anyOf: [valued('Name'), valued('Definition'), valued('Yaml')] }],
    ['post', '/_sandbox/clock/advance', { anyOf: [valued('By'), valued('To')], not: valued('By', 'To') }],
  ])('says of the body of %s %s which fields go together', (method, path, rule) => {
    const { requestBody } = document.paths[path]?.[method] ?? {};
    expect(requestBody?.content['application/json'].schema).toMatchObject(rule);
  });

  test('leads somewhere with each of its references', () => {
    const references = valuesOf(document, '$ref').map(String);
    expect(references.length).toBeGreaterThan(500);
    for (const reference of new Set(references)) {
      const [root, kind = '', name = '', ...rest] = reference.split('/').slice(1);
      expect([root, rest], reference).toEqual(['components', []]);
      expect(document.components[kind], reference).toHaveProperty([name]);
    }
  });

  test('has no component that nothing refers to', () => {
    const references = new Set(valuesOf(document, '$ref'));
    const { securitySchemes: _, ...kinds } = document.components;
    for (const [kind, components] of Object.entries(kinds)) {
      for (const name of Object.keys(components))
        expect(references).toContain(`#/components/${kind}/${name}`);
    }
  });

  test('describes the answer of each operation, and its error codes', () => {
    for (const { method, path, operation } of operations) {
      const row = rowOf(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'));
      expect(row?.id, path).toBe(operation.operationId);
      const statuses = Object.keys(operation.responses);
      const refused = [...listRefusals(row as NonNullable<typeof row>).keys()];
      const described = [row && findSuccessStatus(row), ...refused].map(String);
      expect(statuses.toSorted(), path).toEqual(described.toSorted());
    }
  });

  test('describes the 405 of a fixed word in place of an identifier, such as GET /charge/card, and no other', async () => {
    const sandbox = testSandbox();
    const described = operations.flatMap(({ method, path, operation }) =>
      '405' in operation.responses ? [`${method} ${path}`] : [],
    );
    const answered = new Set<string>();
    for (const { method, path } of operations) {
      const words = path.split('/');
      const alike = Object.keys(document.paths).filter((other) => {
        const others = other.split('/');
        return (
          !other.includes('{') &&
          others.length === words.length &&
          words.every((word, i) => word === others[i] || word.startsWith('{'))
        );
      });
      for (const other of alike) {
        const init = { method: method.toUpperCase(), headers: { 'x-secretkey': 'sk_test_a' } };
        const { status } = await sandbox.fetch(new Request(`http://localhost${other}`, init));
        if (other !== path && status === 405) answered.add(`${method} ${path}`);
      }
    }
    expect(answered).toContain('get /charge/{id}');
    expect(described.toSorted()).toEqual([...answered].toSorted());
  });

  test('says that an unknown provider is refused in a body, and not in a search, which finds nothing', async () => {
    const unknown = '0000000000000000000000000000dead';
    const api = client(testSandbox());
    // The header of the same name is a component of its own.
    const shared = Object.entries((document.components['parameters'] ?? {}) as Record<string, object>);
    const wanted = { name: 'ProviderId', in: 'query' };
    const [name, parameter] = shared.find(([, one]) =>
      Object.entries(wanted).every(([key, value]) => Reflect.get(one, key) === value),
    ) ?? ['', {}];
    const searches = operations.filter(({ operation }) =>
      operation.parameters?.some(({ $ref }) => $ref?.endsWith(`/${name}`)),
    );
    expect(searches).toHaveLength(8);
    for (const { path } of searches)
      expect((await api.read(`${path}?ProviderId=${unknown}`))['Count']).toBe(0);
    expect(valuesOf(parameter, 'x-server-checks')).toEqual([]);
    expect(valuesOf(fieldOf('post', '/charge/card', 'ProviderId'), 'x-server-checks')).toHaveLength(1);
  });

  test('says of each call of the service that headers of the sandbox may be refused, on reads too', async () => {
    const api = client(testSandbox());
    for (const { path, method } of operations) {
      if (method !== 'get' || path.startsWith('/_sandbox')) continue;
      // The client holds what it is responseed against the description.
      const response = await api.get(path.replaceAll(/\{\w+\}/g, 'x'), { 'x-sandbox-dialect': 'klingon' });
      expect([response.status, response.body['Code']], path).toEqual([400, 90]);
    }
  });

  test('says of the sandbox’s own calls that a body they do not take may be refused', async () => {
    const api = client(testSandbox());
    const snapshot = (body: unknown, headers: Record<string, string>) =>
      api.put('/_sandbox/snapshots/a', body, headers);
    const responses = [
      await snapshot(undefined, { 'content-length': '99999999' }),
      await snapshot('x', { 'content-type': 'text/plain' }),
    ];
    expect(responses.map(({ status, body }) => [status, body['Code']])).toEqual([
      [413, 90],
      [415, 90],
    ]);
  });

  test('shows of each operation that answers JSON an answer, which is as it is described', () => {
    for (const row of OPERATION_ROWS) {
      if (typeof row.response === 'string' || row.id === 'getOpenApi') continue;
      const content = document.paths[row.path]?.[row.method]?.responses[findSuccessStatus(row)]?.content;
      const { example } = (content as { 'application/json': { example?: unknown } })['application/json'];
      const given = {
        method: row.method.toUpperCase(),
        path: row.path,
        status: findSuccessStatus(row),
        body: example,
      };
      expect(example, row.id).toBeDefined();
      expect(whyOtherwise(given), row.id).toBeNull();
    }
  });

  test('contains no key except that of the examples', () => {
    expect([...new Set(written.match(/\b[sp]k_(?:test|live)_\w+/g))].toSorted()).toEqual([
      'pk_test_X',
      'sk_test_X',
      'sk_test_local',
    ]);
  });
});

describe('GET /_sandbox/openapi.json', () => {
  const get = (headers = {}, options = {}) =>
    client(testSandbox(options), null).get('/_sandbox/openapi.json', headers);

  test('is the file without its white space, needs no key, and is not large', async () => {
    const { status, headers, text } = await get();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(JSON.stringify(document));
    expect(text.length).toBeLessThan(BYTES_MAX);
    expect(document.openapi).toBe('3.1.0');
  });

  test('is sent again only once it has changed', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{16}"$/);
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
  });

  test('is read by trusted origins, and with an admin token about', async () => {
    const { headers } = await get({ origin: 'http://localhost:5173' });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect((await get({}, { adminToken: 'open-sesame' })).status).toBe(200);
  });
});

test('GET /_sandbox/reference/{id} shows what a call that creates answers as its success, and never as a refusal', async () => {
  const { text } = await client(testSandbox(), null).get('/_sandbox/reference/chargeCard');
  expect(text).toContain('<p class="caption">201 <a href="/_sandbox/reference#schema-Charge">');
  expect(text).not.toContain('<dt>201</dt>');
});

describe('GET /_sandbox/reference', () => {
  const api = client(testSandbox(), null);

  test('is small, and leads to a page for each operation and schema', async () => {
    const { text } = await api.get('/_sandbox/reference');
    expect(text.length).toBeLessThan(REFERENCE_MAX);
    const parts = Array.from(text.matchAll(/class="part" href="([^"]+)"/g), ([, path = '']) => path);
    expect(parts.length).toBeGreaterThan(150);
    for (const path of parts) {
      const { status, text: part } = await api.get(path);
      expect([path, status, part.includes('<div class="about">')]).toEqual([path, 200, true]);
    }
  });

  test('refuses an operation that it does not have', async () => {
    const { status, body } = await api.get('/_sandbox/reference/chargeCart');
    expect([status, body['Message']]).toEqual([
      404,
      'Validation Error: The reference has no operation or schema chargeCart',
    ]);
  });
});
