import { describe, expect, test } from 'vitest';

import { folderLibrary } from '../../../src/node/library.js';
import { formatYaml } from '../../../src/node/terminal/yaml-text.js';
import { client, good, testSandbox, triggerOf } from '../../support/sandbox.js';
import { expectRefused, VISA } from '../../support/stored.js';

const PATH = '/_sandbox/scenario';
const YAML = { 'content-type': 'application/yaml' };
const DECLINES = `# My bad day.
name: no money
rules:
  - name: broke
    when: { operation: charge.create }
    then: { outcome: insufficient_funds }
`;
const CHARGE = {
  Amount: 5,
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: VISA, ExpiryDate: '12/30', Ccv: '123' },
};

describe('PUT /_sandbox/scenario with YAML', () => {
  test.each([
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
    'text/x-yaml',
    'Application/YAML; charset=UTF-8',
    'text/yaml; version=1',
  ])('plays the file of a user that comes as %s', async (type) => {
    const api = client(testSandbox());
    const { body } = await good(api.put(PATH, DECLINES, { 'content-type': type }));
    expect(body).toMatchObject({ Scenario: 'no money', Rules: [{ Rule: 'broke', Matched: 0 }] });
    expect(triggerOf(await api.charge(CHARGE))).toBe('rule:broke');
  });

  test('takes the text in a field of JSON too', async () => {
    const api = client(testSandbox());
    await good(api.put(PATH, { Yaml: DECLINES }));
    expect(triggerOf(await api.charge(CHARGE))).toBe('rule:broke');
  });

  test('names each error with its line and column, as `check` does, and plays on what was played', async () => {
    const api = client(testSandbox());
    await good(api.put(PATH, DECLINES, YAML));
    const text = 'name: a\nclock: manuell\nrules:\n  - then: { outcome: broke }\n';
    const answer = await api.put(PATH, text, YAML);
    expect(expectRefused(answer, 400, 90)).toMatch(
      /The scenario is invalid: line 2, column 8: clock must be real, manual .* Did you mean manual\?; line 4, column 22: outcome must be/,
    );
    expect(Object.keys(answer.body['Details'] as object)).toEqual(['line 2, column 8', 'line 4, column 22']);
    expect(await api.read(PATH)).toMatchObject({ Scenario: 'no money' });
  });

  test.each([
    ['text/plain', 415, 'application/json or application/yaml'],
    ['application/yaml; charset=latin1', 415, 'application/json or application/yaml'],
    ['application/json', 400, 'not valid JSON'],
  ])('of the type %s is refused with %i', async (type, status, message) => {
    const api = client(testSandbox());
    expect(expectRefused(await api.put(PATH, DECLINES, { 'content-type': type }), status, 90)).toContain(
      message,
    );
  });

  test('is taken by this call alone', async () => {
    const api = client(testSandbox());
    expectRefused(await api.put('/_sandbox/clock', 'Mode: manual\n', YAML), 415, 90);
  });

  test('is refused in two forms at once', async () => {
    const api = client(testSandbox());
    expectRefused(await api.put(PATH, { Yaml: DECLINES, Name: 'happy-path' }), 400, 90);
  });
});

const LIBRARY = folderLibrary();

test.each(await LIBRARY.names())(
  'what is played of %s can be written as YAML and played again',
  async (name) => {
    const api = client(testSandbox({ library: LIBRARY }));
    await good(api.put(PATH, { Name: name }));
    const { Definition } = await api.read(PATH);
    await good(api.put(PATH, await formatYaml(Definition as object), YAML));
    expect((await api.read(PATH))['Definition']).toEqual(Definition);
  },
);
