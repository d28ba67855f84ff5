import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { beforeAll, describe, expect, test } from 'vitest';

import { buildIfMissing, type Ended, runProgram } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();

/** A shop in files of its own, each with the test that a user would write. */
const FILES = {
  'shop.mjs': `
    import { writeFileSync } from 'node:fs';
    const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key, ORDERS } = process.env;
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
    export const charge = async () => (await fetch(url + '/charge/token', { method: 'POST', headers, body })).ok;
    export const isPaid = async () => {
      const { Charges } = await (await fetch(url + '/charge?Reference=order-1', { headers })).json();
      return Charges.some(({ Status }) => Status === 'SUCCESS');
    };
    export const save = (paid) => writeFileSync(ORDERS, JSON.stringify({ reference: 'order-1', amount: 20, paid }));`,
  'blind.test.mjs': `
    import { test } from 'node:test';
    import { charge, save } from './shop.mjs';
    test('pays', async () => save(await charge().catch(charge)));`,
  'searching.test.mjs': `
    import { test } from 'node:test';
    import { charge, isPaid, save } from './shop.mjs';
    test('pays', async () => save(await charge().catch(async () => (await isPaid()) || charge())));`,
  'later.test.mjs': `
    import { test } from 'node:test';
    import { charge, save } from './shop.mjs';
    test('pays', async () => save(await charge().catch(() => null)));`,
  'two.mjs': `
    const { PLAYMONEY_URL: url } = process.env;
    for (const [n, Amount] of [[1, 20], [2, 40]]) {
      const headers = { 'x-secretkey': 'sk_test_shop_000' + n, 'content-type': 'application/json' };
      const body = JSON.stringify({ Amount, Token: 'tok_approve', Reference: 'order-1' });
      await fetch(url + '/charge/token', { method: 'POST', headers, body }).catch(() => {});
    }`,
  'press.mjs': `
    import { charge, isPaid } from './shop.mjs';
    if (!(await isPaid())) await charge();`,
  'claim.mjs': `
    import { openSync } from 'node:fs';
    import { charge } from './shop.mjs';
    // Two processes cannot both create the file.
    const claim = () => { try { return openSync(process.env.PLAYMONEY_BUNDLES + '/claim', 'wx'); } catch { return null; } };
    if (claim() !== null) await charge();`,
  'failing.mjs': `
    import { charge } from './shop.mjs';
    await charge();`,
  'dirty.mjs': `
    import { existsSync, writeFileSync } from 'node:fs';
    import { charge } from './shop.mjs';
    const paid = process.env.ORDERS + '.paid';
    if (!existsSync(paid)) { await charge(); writeFileSync(paid, 'order-1'); }`,
  'workers.mjs': `
    const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key } = process.env;
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const call = (path, init) => fetch(url + path, { headers, ...init });
    const body = (Reference) => JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference });
    const isPaid = async (reference) => (await (await call('/charge?Reference=' + reference)).json()).Charges.length > 0;
    await Promise.all(['order-1', 'order-2', 'order-3'].map(async (reference) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      const charge = () => call('/charge/token', { method: 'POST', body: body(reference) });
      await charge().catch(async () => (await isPaid(reference)) || charge());
      await isPaid(reference);
    }));`,
  'recover.mjs': `
    import { isPaid, save } from './shop.mjs';
    save(await isPaid());`,
};

const fileOf = (name: string): string => join(folder, name);
const ORDERS = fileOf('orders.json');
const NODE = `"${process.execPath}"`;

async function sweep(...args: string[]): Promise<Ended> {
  const { PATH = '' } = process.env;
  return runProgram(['sweep', ...args], { PATH, ORDERS }).ended;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const sweepTests = (name: string, ...options: string[]): Promise<Ended> =>
  sweep('--fault', 'lost', ...options, '--', process.execPath, '--test', fileOf(name));

beforeAll(() => {
  buildIfMissing();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(fileOf(name), text);
});

describe('playmoney sweep -- COMMAND', () => {
  test('finds a blind retry, and writes a report', async () => {
    const { code, stdout } = await sweepTests('blind.test.mjs', '--report', fileOf('report'));
    expect(stdout).toContain(
      'sweep: NOT SAFE. 1 point, 1 run: 1 charged twice\nA customer can be charged twice if an answer is lost. Fix this first.\n',
    );
    expect(stdout).toContain('1. CHARGED TWICE at charge.create: lost\n');
    expect(stdout).toContain('The service took 40.00 AUD');
    expect(code).toBe(1);
    const names = ['html', 'json', 'junit.xml', 'md', 'sarif'].map((ending) => `sweep.${ending}`);
    expect(readdirSync(fileOf('report')).toSorted()).toEqual(['1-charged-twice.yaml', ...names]);
    expect(readFileSync(fileOf('report/sweep.md'), 'utf8')).toContain(
      '| charged twice | charge.create | lost |',
    );
  });

  test('compares each world with itself, however alike their keys are', async () => {
    const { code, stdout } = await sweep('--fault', 'lost', '--', process.execPath, fileOf('two.mjs'));
    expect(stdout).toContain('sweep: safe. No webhook was seen. 1 point, 1 run: 1 recovered\n');
    expect(code).toBe(0);
  });

  test('is satisfied with a search before the retry', async () => {
    const { code, stdout, stderr } = await sweepTests('searching.test.mjs', '--orders', `cat "${ORDERS}"`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('sweep: safe. No webhook was seen. 1 point, 1 run: 1 recovered\n');
  });

  test('with --twice, finds the order of the calls of two processes that charges twice', async () => {
    const press = (name: string, ...more: string[]): Promise<Ended> =>
      sweep('--twice', '--fault', 'twice', ...more, '--', process.execPath, fileOf(name));
    const { code, stdout } = await press('press.mjs', '--races', '5');
    expect(stdout).toContain('CHARGED TWICE at together: order 1×2 2, order 1×3 2\n');
    expect(stdout).toMatch(
      /charge\.search, first .*\n.*charge\.search #2, second .*\n.*charge\.create, second /,
    );
    expect(stdout).toMatch(/Left out: 1\n {2}together: at least \d+ more orders of its calls \(races: 5\)/);
    expect(code).toBe(1);
    expect((await press('claim.mjs')).stdout).toMatch(
      /^sweep: safe\. No webhook was seen\. 1 point, \d+ runs: \d+ recovered$/m,
    );
  });

  test('runs the job that checks open orders, and reads what the shop believes after it', async () => {
    const later = (...more: string[]): Promise<Ended> =>
      sweep(
        '--fault',
        'lost',
        ...more,
        '--orders',
        `cat "${ORDERS}"`,
        '--',
        process.execPath,
        fileOf('later.test.mjs'),
      );
    const recover = ['--recover', `${NODE} "${fileOf('recover.mjs')}"`];
    // Its search has a fault as well, under which it fails. The service is down only for the command.
    const { code, stdout } = await later(...recover, '--fault', 'unavailable', '--fault', 'down');
    expect(stdout).toContain(
      'sweep: safe. No webhook was seen. 2 points, 4 runs: 2 failed and said so, 2 recovered\n',
    );
    expect(code).toBe(0);
    expect((await later()).stdout).toContain('1 run: 1 handed over\n');
  });

  test('says what was taken when the command failed', async () => {
    const { stdout } = await sweep('--fault', 'lost', '--', process.execPath, fileOf('failing.mjs'));
    expect(stdout).toContain('1. PAID, BUT THE TEST FAILED at charge.create: lost\n');
    expect(stdout).toContain(
      'The service took 20.00 AUD for all orders together. The program failed: the command exited with 1',
    );
  });

  test('ends at once if the second run without faults finds what the first has left', async () => {
    const { code, stderr } = await sweep('--', process.execPath, fileOf('dirty.mjs'));
    expect(stderr).toContain(
      'playmoney: sweep: runs are not isolated. Without any fault, the second run made other calls or charges than the first. Reset its database in COMMAND,',
    );
    expect(code).toBe(3);
  });

  test('judges workers that call in any order', async () => {
    const faults = ['lost', 'expired', 'unavailable', 'late'].flatMap((fault) => ['--fault', fault]);
    const { stdout } = await sweep(...faults, '--', process.execPath, fileOf('workers.mjs'));
    expect(stdout).not.toContain('not deterministic');
  });

  test('compares the run without faults with what the buyers agreed to, and injects the faults of a file', async () => {
    writeFileSync(fileOf('expected.json'), '[{"reference":"order-1","amount":30,"currency":"AUD"}]');
    writeFileSync(
      fileOf('busy.yaml'),
      '{name: busy, operations: [charge.create], then: {outcome: issuer_unavailable}}',
    );
    const shop = ['--', process.execPath, fileOf('searching.test.mjs')];
    const { code, stderr } = await sweep('--expect', fileOf('expected.json'), ...shop);
    expect(stderr).toContain('order-1: agreed to 30.00 AUD; taken: 20.00 AUD');
    expect(code).toBe(3);
    writeFileSync(fileOf('expected.json'), '{"reference":"order-1","amount":20,"paid":true}');
    const { stdout } = await sweep(
      '--expect',
      fileOf('expected.json'),
      '--fault',
      fileOf('busy.yaml'),
      ...shop,
    );
    expect(stdout).toContain('1 point, 1 run: 1 failed and said so\n');
    expect(stdout).not.toContain('without expect');
  });

  test('lets a call arrive after a search', async () => {
    const args = ['--fault', 'in flight', '--', process.execPath, fileOf('searching.test.mjs')];
    const { stdout } = await sweep(...args);
    expect(stdout).toContain('1. CHARGED TWICE at charge.create: in flight\n');
  });

  test.each([
    ['[]]', /odd\.yaml:1:3: /],
    ['7', 'odd.yaml: fault 1 is a number; it must be an object such as {name: busy,'],
    [
      '{nam: busy}',
      'odd.yaml: fault 1: unknown field "nam". Fields: name, about, operations, then, policy. Did you mean name?',
    ],
    ['{then: {fault: reset}}', 'odd.yaml: fault 1: name is required, such as busy'],
    ['{name: busy, then: {outcome: bussy}}', /odd\.yaml: outcome .*bussy/],
    ['{name: busy}', 'needs either then (for calls) or policy (for webhooks)'],
  ])('refuses the fault file %s', async (text, message) => {
    writeFileSync(fileOf('odd.yaml'), text);
    const { code, stderr } = await sweep('--fault', fileOf('odd.yaml'), '--', 'true');
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test.each([
    [[], 'playmoney: sweep needs a command to run, such as: playmoney sweep -- npm test\n'],
    [['--fault', 'lots', '--', 'true'], /^playmoney: --fault: .*"lots"\. Did you mean lost\?/],
    [['--pairs', '--tim', '1s'], 'playmoney: unknown option --tim. Did you mean --time?\n'],
  ])('exits with 2 if it is used wrongly: %j', async (args, message) => {
    const { code, stderr } = await sweep(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test.each([
    ['{"reference":7,"amount":20,"paid":true}', 'order 1: reference must be a string, not a number'],
    ['{"reference":"order-1","amount":20,"paid":"yes"}', 'order 1: paid must be true or false, not a string'],
    [
      '[{"reference":"order-1","amount":20,"paid":true},{"amount":"x","paid":true}]',
      'order 2: amount is "x"; it',
    ],
    ['{"amount":20,"paid":true,"world":7}', 'order 1: world must be a string, not a number'],
    ['{"amount":20,"paid":true,"colour":7}', 'order 1: unknown field "colour"'],
    ['"x"', 'order 1 is a string; it must be an object'],
  ])('names the order that has a wrong value: %s', async (orders, message) => {
    const shop = [process.execPath, fileOf('blind.test.mjs')];
    const { code, stderr } = await sweep('--orders', `echo '${orders}'`, '--', ...shop);
    expect(stderr).toContain(`playmoney: --orders: ${message}`);
    expect(code).toBe(2);
  });

  test('names the first byte of orders that are not UTF-8', async () => {
    const { code, stderr } = await sweep(
      '--orders',
      String.raw`printf '{"reference":"caf\351","paid":true}'`,
      '--',
      process.execPath,
      fileOf('blind.test.mjs'),
    );
    expect(stderr).toMatch(/^playmoney: --orders:1:18: .*save it as UTF-8/m);
    expect(code).toBe(2);
  });

  test.each(['--orders', '--recover'])('ends the processes of %s when the time is over', async (option) => {
    const number = fileOf(`number${option}`);
    const shop = [process.execPath, fileOf('blind.test.mjs')];
    const leaving = `sleep 300 & echo $! >"${number}"; wait`;
    const { code, stderr } = await sweep('--timeout', '3s', option, leaving, '--', ...shop);
    expect(stderr).toContain('took longer than --timeout allows');
    expect(code).toBe(option === '--orders' ? 2 : 3);
    // A process that has ended may be there until somebody asks for its exit code.
    const { stdout: state } = spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(number, 'utf8').trim()]);
    expect(state.toString()).toMatch(/^(?:Z.*\n)?$/);
  });

  test.each([
    [[process.execPath, '-e', 'process.exit(5)'], 'the clean run failed: it ended with exit code 5'],
    [
      ['--recover', 'exit 4', '--', 'true'],
      'the clean run failed: the command "exit 4" ended with exit code 4',
    ],
    [['--timeout', '100ms', '--', 'sleep', '60'], 'the clean run did not end in its time'],
    [['true'], 'the clean run made no call'],
    [
      ['--orders', `echo '{"amount":7,"paid":true}'`, '--', process.execPath, fileOf('blind.test.mjs')],
      'in balance, without any fault:\n  An order without a reference was charged too much: ',
    ],
  ])('exits with 3 if the command itself proves nothing: %j', async (args, message) => {
    const { code, stderr } = await sweep(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(3);
  });
});

describe('The server of a sweep', () => {
  const probe = `
    import { appendFileSync } from 'node:fs';
    const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key } = process.env;
    appendFileSync(process.argv[2], url + '\\n');
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
    await fetch(url + '/charge/token', { method: 'POST', headers, body }).catch(() => {});`;

  test('listens on the port of --port with a certificate that the command trusts, in each run', async () => {
    writeFileSync(fileOf('probe.mjs'), probe);
    const port = await findFreePort();
    const secure = ['--https', '--tls-dir', fileOf('tls'), '--port', String(port)];
    const command = [process.execPath, fileOf('probe.mjs'), fileOf('urls')];
    const { code, stdout, stderr } = await sweep('--fault', 'refused', ...secure, '--', ...command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 point, 1 run');
    expect(readFileSync(fileOf('urls'), 'utf8')).toBe(`https://127.0.0.1:${port}\n`.repeat(3));
  });

  test('says that its port is in use, and that --tls-dir needs --https', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await sweep('--port', String(port), '--', 'true');
    server.close();
    expect(stderr).toContain(`playmoney: port ${port} of 127.0.0.1 is already in use`);
    expect(code).toBe(1);
    expect(await sweep('--tls-dir', folder, '--', 'true')).toMatchObject({
      code: 2,
      stderr: 'playmoney: --tls-dir needs --https\n',
    });
  });

  test('gives a run ten times as long as the first one, and at least ten seconds, and says that it goes on', async () => {
    const waiting = `
      const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key } = process.env;
      const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
      const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
      await fetch(url + '/charge/token', { method: 'POST', headers, body }).catch(() => new Promise((resolve) => setTimeout(resolve, 60_000)));`;
    writeFileSync(fileOf('waiting.mjs'), waiting);
    const { code, stdout, stderr } = await sweep(
      '--fault',
      'lost',
      '--',
      process.execPath,
      fileOf('waiting.mjs'),
    );
    expect(stdout).toContain(
      '1 run: 1 stuck\nThe program can wait for ever if an answer is lost. Fix this first.\n',
    );
    expect(stderr).toMatch(/^playmoney: sweep: 0 of 1 \(0 %\)/m);
    expect(code).toBe(1);
  });
});

test('What the report prints repeats a finding of a command by hand.', async () => {
  const report = fileOf('by-hand');
  const { stdout } = await sweepTests('blind.test.mjs', '--strict', '--report', report);
  const steps = stdout.split('Repeat it by hand:\n')[1]?.trim().split('\n') ?? [];
  const [start = '', disk = '', run = ''] = steps.map((step) => step.trim());
  expect(disk).toBe('export PLAYMONEY_DISK="$(mktemp -d)"');
  expect(start).toBe(`npx playmoney start --scenario ${report}/1-charged-twice.yaml --strict`);
  const server = runProgram([...start.split(' ').slice(2), '--port', '0'], {
    PATH: process.env['PATH'] ?? '',
  });
  await server.until('stdout', '\n');
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(server.printed.stdout) ?? [];
  const env = { PATH: process.env['PATH'] ?? '', ORDERS };
  expect(spawnSync('sh', ['-c', `${disk} && ${run}`.replace(':4010', `:${port}`)], { env }).status).toBe(0);
  writeFileSync(fileOf('believed.json'), '[{"reference":"order-1","amount":20,"paid":true}]');
  const books = await runProgram([
    'reconcile',
    '--orders',
    fileOf('believed.json'),
    '--url',
    `http://127.0.0.1:${port}`,
  ]).ended;
  server.child.kill();
  expect(books.stdout).toContain('order-1 was charged twice');
});

test('What the report prints repeats a race of two commands by hand.', async () => {
  const report = fileOf('race-by-hand');
  const press = ['--', process.execPath, fileOf('press.mjs')];
  const { stdout } = await sweep('--twice', '--fault', 'twice', '--races', '5', '--report', report, ...press);
  const [start = '', ...steps] = (stdout.split('Repeat it by hand:\n')[1] ?? '')
    .split('\n\n', 1)
    .join()
    .split('\n')
    .map((step) => step.trim());
  const env = { PATH: process.env['PATH'] ?? '', ORDERS };
  const server = runProgram([...start.split(' ').slice(2), '--port', '0'], env);
  await server.until('stdout', '\n');
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(server.printed.stdout) ?? [];
  const lines = steps
    .filter((step) => /^(?:export|PLAYMONEY_URL|curl)/.test(step))
    // A person takes the next step when the call waits.
    .map((step) =>
      step.replace(/^curl.*?(?=$| #)/, 'until $& -sf -o /dev/null; do :; done').replace(':4010', `:${port}`),
    );
  expect(lines.filter((line) => line.endsWith('&'))).toHaveLength(2);
  expect(spawnSync('sh', ['-c', [...lines, 'wait'].join('\n')], { env }).status).toBe(0);
  writeFileSync(fileOf('believed.json'), '[{"reference":"order-1","amount":20,"paid":true}]');
  const url = `http://127.0.0.1:${port}`;
  const books = await runProgram(['reconcile', '--orders', fileOf('believed.json'), '--url', url]).ended;
  server.child.kill();
  expect(books.stdout).toContain('order-1 was charged twice');
});

test('An agent sweeps the command of `mcp --sweep`, and no other, and has a finding explained.', async () => {
  const program = runProgram(['mcp', '--sweep', `${NODE} --test "${fileOf('blind.test.mjs')}"`], {
    PATH: process.env['PATH'] ?? '',
    ORDERS,
  });
  const answers = createInterface({ input: program.child.stdout })[Symbol.asyncIterator]();
  const call = async (name: string, given: object = {}): Promise<string> => {
    const params = { name, arguments: given };
    program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    return ((await answers.next()) as { value: string }).value;
  };
  let report = '';
  do report = await call('sweep');
  while (report.includes('Running'));
  expect(report).toContain('A customer can be charged twice if an answer is lost. Fix this first.');
  expect(await call('explainFinding', { Name: 'charged twice at charge.create' })).toContain('charged again');
  program.child.stdin.end();
  expect((await program.ended).code).toBe(0);
});

/** Plays a flow as a program in another language does: a blind retry, which throws in every run after the first. */
function playOver({ child }: ReturnType<typeof runProgram>, options: object): void {
  const reply = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  reply(options);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { run, ask, url, key } = JSON.parse(line) as Record<'ask' | 'url' | 'key', string> & {
      run?: number;
    };
    if (run === undefined) return;
    if (ask === 'orders') return reply({ run, orders: [{ reference: 'order-1', amount: 20, paid: true }] });
    const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const charge = (): Promise<Response> => fetch(`${url}/charge/token`, { method: 'POST', headers, body });
    charge()
      .catch(charge)
      .then(
        () => reply({ run, parts: ['orders'] }),
        ({ message }: Error) => reply({ run, failure: message }),
      );
  });
}

describe('playmoney sweep -', () => {
  test('plays the flow of the process that started it', async () => {
    const program = runProgram(['sweep', '-']);
    playOver(program, { faults: ['lost', 'down'] });
    const { code, stdout, stderr } = await program.ended;
    const { report } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      report: { safe: boolean; text: string; counts: object };
    };
    expect({ code, stderr, safe: report.safe }).toEqual({ code: 0, stderr: '', safe: false });
    expect(report.counts).toMatchObject({ 'charged twice': 1, 'failed and said so': 1 });
    expect(report.text).toContain('1. CHARGED TWICE at charge.create order-1: lost');
  });

  test.each([
    [{ faults: ['lots'] }, 'Did you mean lost?'],
    [{ settings: { noSuch: 1 } }, 'NoSuch'],
  ])('says why it cannot sweep with %j, and ends', async (options, message) => {
    const program = runProgram(['sweep', '-']);
    playOver(program, options);
    const { error } = JSON.parse((await program.ended).stdout) as { error: string };
    expect(error).toContain(message);
  });

  test('ends with the process that started it', async () => {
    const program = runProgram(['sweep', '-']);
    program.child.stdin.write('{"timeout":"1h"}\n');
    await program.until('stdout', '"ask":"flow"');
    program.child.stdin.end();
    expect((await program.ended).code).toBe(1);
  });
});
