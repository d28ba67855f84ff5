import { describe, expect, test } from 'vitest';

import { parseCommand } from '../../../../src/node/cli/parse.js';
import { formatStartNote } from '../../../../src/node/cli/start/start-note.js';
import { parseScenario, type Scenario } from '../../../../src/scenarios/file/schema.js';

function noteOf(line: string, scenario: Scenario | null = null): string {
  const command = parseCommand(line.split(' '), {});
  if (command.verb !== 'start') throw new Error(`got the verb ${command.verb}`);
  return formatStartNote(command.options, { port: 4010, authority: null }, scenario);
}

function scenarioOf(definition: object): Scenario {
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(JSON.stringify(parsed.issues));
}

const CCV = 'Vault: stores a Ccv for 10m, or until the first charge that uses it.';
const KNOWN = 'Providers: a ProviderId that is neither built in nor configured is refused with code 39.';

describe('the note of a start', () => {
  test('says for how long a Ccv is kept and which providers are refused, where that is limited', () => {
    const plain = noteOf('start');
    expect(plain).not.toContain('Ccv for');
    expect(plain).not.toContain('code 39');
    const strict = noteOf('start --ccv-ttl 10m --known-providers-only');
    expect(strict).toContain(CCV);
    expect(strict).toContain(KNOWN);
  });

  test('of a bundle names its key and clock, and charges with a fresh key', () => {
    const command = parseCommand(['start', '--clock', 'manual'], {});
    if (command.verb !== 'start') throw new Error(`got the verb ${command.verb}`);
    const restored = { key: 'sk_test_bug', now: Date.UTC(2026, 5, 1) };
    const note = formatStartNote(command.options, { port: 4010, authority: null }, null, restored);
    expect(note).toContain('key sk_test_bug,');
    expect(note).toContain(
      'Clock of the restored world: 2026-06-01T00:00:00.000Z.\nClock of a new world: stands still at 2026-01-01',
    );
    expect(note).toContain("-H 'x-secretkey: sk_test_new'");
    expect(note).not.toContain('sk_test_local');
  });

  test('says so of a scenario, unless it is for some keys alone', () => {
    const definition = { name: 'strict', ccvTtl: '10m', knownProvidersOnly: true };
    expect(noteOf('start', scenarioOf(definition))).toContain(`${CCV}\n${KNOWN}`);
    expect(noteOf('start', scenarioOf({ ...definition, keys: 'sk_test_a' }))).not.toContain('Ccv for');
  });
});
