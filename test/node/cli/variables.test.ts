import { describe, expect, test } from 'vitest';

import { OptionError } from '../../../src/node/options/option.js';
import { listVariables, whyIgnored } from '../../../src/node/options/variables.js';
import { parseCommand } from '../../../src/node/cli/parse.js';
import { runProgram } from './program.js';
import { startingPrograms } from './starting.js';

describe('a variable that nothing reads', () => {
  test.each([
    ['PLAYMONEY_SCENARO', 'unknown variable, ignored. Did you mean PLAYMONEY_SCENARIO?'],
    ['PLAYMONEY_ADMINTOKEN', 'unknown variable, ignored. Did you mean PLAYMONEY_ADMIN_TOKEN?'],
    ['playmoney_seed', 'unknown variable, ignored. Did you mean PLAYMONEY_SEED?'],
    ['PLAYMONEY_NOTHING_LIKE_IT', 'unknown variable, ignored'],
  ])('%s: %s', (name, why) => {
    const env = { [name]: '1', PATH: '/bin' };
    expect(listVariables(env)).toEqual([name]);
    expect(whyIgnored(name, env)).toBe(why);
  });

  test.each([
    ['PLAYMONEY_SEED', '7'],
    ['PLAYMONEY_BUNDLES', 'failed'],
    ['PLAYMONEY_DISK', '/tmp/disk'],
    ['PLAYMONEY_PORT', 'tcp://10.0.0.1:4010'],
    ['PLAYMONEY_SERVICE_HOST', '10.0.0.1'],
    ['PLAYMONEY_SERVICE_PORT', '4010'],
    ['PLAYMONEY_SERVICE_PORT_HTTP', '4010'],
    ['PLAYMONEY_PORT_4010_TCP', 'tcp://10.0.0.1:4010'],
    ['PLAYMONEY_PORT_4010_TCP_PROTO', 'tcp'],
    ['PLAYMONEY_PORT_4010_TCP_PORT', '4010'],
    ['PLAYMONEY_PORT_4010_TCP_ADDR', '10.0.0.1'],
    ['PLAYMONEY_STAGING_PORT', 'tcp://10.0.0.1:80'],
    ['PLAYMONEY_STAGING_SERVICE_HOST', '10.0.0.1'],
  ])('is not %s=%s', (name, value) => {
    expect(whyIgnored(name, { [name]: value })).toBeNull();
  });

  const start = startingPrograms();
  const LINE = 'playmoney: PLAYMONEY_SCENARO: unknown variable, ignored. Did you mean PLAYMONEY_SCENARIO?\n';
  const ENV = { PLAYMONEY_SCENARO: 'x', PLAYMONEY_SERVICE_HOST: '10.0.0.1' };

  test('gets one line when a server starts, which it does', async () => {
    const { printed } = await start(['--port', '0'], ENV);
    expect(printed.stderr.split(LINE)).toHaveLength(2);
    expect(printed.stderr).not.toContain('PLAYMONEY_SERVICE_HOST');
  });

  test('gets one line from exec, which keeps the exit code; --quiet leaves it out', async () => {
    const command = ['--port', '0', '--', process.execPath, '-e', 'process.exit(3)'];
    const told = await runProgram(['exec', ...command], ENV).ended;
    expect([told.code, told.stderr.split(LINE).length]).toEqual([3, 2]);
    const quiet = await runProgram(['exec', '--quiet', ...command], ENV).ended;
    expect([quiet.code, quiet.stderr]).toEqual([3, '']);
  });
});

describe('a control character at the end of a value', () => {
  test.each([
    ['PLAYMONEY_PORT', '4011\r'],
    ['PLAYMONEY_WEBHOOK_SECRET', 'whsec_test_secret\r'],
    ['PLAYMONEY_ADMIN_TOKEN', 'a-long-admin-token\n'],
    ['PLAYMONEY_SEED', 'a\r'],
    ['PLAYMONEY_STATE', './state\r'],
    ['PLAYMONEY_SEED', '\r'],
    ['PLAYMONEY_SEED', '\u0085a'],
    ['PLAYMONEY_SCENARIO', 'friday.yaml\r'],
    ['PLAYMONEY_KEY', 'sk_live_a\r'],
  ])('%s=%j is refused with its name, and without the value', (name, value) => {
    const parsing = (): unknown => parseCommand(['start'], { [name]: value });
    expect(parsing).toThrow(OptionError);
    expect(parsing).toThrow(`${name} begins or ends with a control character; remove it.`);
    expect(parsing).not.toThrow(/whsec|a-long|sk_live/);
  });

  test('is refused by doctor as well', async () => {
    const { stdout } = await runProgram(['doctor', '--port', '0'], { PLAYMONEY_SEED: 'a\r' }).ended;
    expect(stdout).toMatch(/!! {2}PLAYMONEY_SEED .* begins or ends with a control character/);
  });
});
