import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { VERSION } from '../../src/version.js';
import { buildIfMissing, type Ended } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { blocksOf } from './consumer.js';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'dist/cli.js');
const PAGE = readFileSync(join(ROOT, 'docs/guides/ci.md'), 'utf8');
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const folder = temporaryFolder();
/** Servers that a step started. */
const started = new Set<number>();

const inPage = (language: string): string[] => blocksOf('docs/guides/ci.md', language);

/** Stands for npx and npm on the PATH: this build, and tests that make nine calls. */
function installStandIns(): void {
  const scripts = {
    npx: `#!/bin/sh\nwhile [ "$1" = --yes ]; do shift; done\nshift\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    npm: `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'tests.mjs')}'\n`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(
    join(folder, 'tests.mjs'),
    `const { PLAYMONEY_URL, PLAYMONEY_KEY } = process.env;
     const headers = { 'x-secretkey': PLAYMONEY_KEY, 'content-type': 'application/json' };
     const body = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
     for (let n = 0; n < 9; n++) await fetch(PLAYMONEY_URL + '/charge/token', { method: 'POST', headers, body });
     console.log('tested');`,
  );
}

/** Runs a script of bash in the folder, with the stand-ins before all other programs. */
async function bash(script: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder, ...env },
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes: Buffer) => (printed[stream] += bytes.toString()));
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed })));
}

beforeAll(() => {
  buildIfMissing();
  installStandIns();
});
afterAll(() => {
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was stopped, as it should be.
    }
  }
});

describe('docs/guides/ci.md', () => {
  test.each(inPage('yaml').map((text) => [text.split('\n')[0], text]))(
    'The recipe %s is YAML.',
    (_, text) => {
      expect(parse(text ?? '', { strict: true, uniqueKeys: true })).toBeTypeOf('object');
    },
  );

  test.each(inPage('sh').map((text) => [text.trim()]))(
    'The command %s does what it says.',
    async (command) => {
      const { code, stdout, stderr } = await bash(command);
      expect(stderr + stdout).not.toContain('!!');
      if (command.includes(' exec ')) expect(stdout).toBe('tested\n');
      expect(code).toBe(0);
    },
  );

  test('Each command of a recipe that starts playmoney is one that the program takes.', async () => {
    const commands = [...PAGE.matchAll(/(?:run: |`script: )(npx playmoney [^\n`]*)/g)].map(
      ([, one = '']) => one,
    );
    expect(commands.length).toBeGreaterThan(2);
    for (const command of new Set(commands)) expect((await bash(command)).stdout).toBe('tested\n');
  });

  test('The health check of the compose file is the one of the image.', () => {
    const compose = inPage('yaml').find((text) => text.startsWith('# compose.yaml')) ?? '';
    const { services } = parse(compose) as { services: Record<string, { healthcheck?: { test: string[] } }> };
    const [, words = ''] = /HEALTHCHECK [^[]*CMD (\[.*\])/.exec(DOCKERFILE) ?? [];
    expect(services['playmoney']?.healthcheck?.test).toEqual(['CMD', ...(JSON.parse(words) as string[])]);
  });

  test('The code for Testcontainers is JavaScript, and waits for a path that there is.', async () => {
    const [script = ''] = inPage('js');
    writeFileSync(join(folder, 'containers.mjs'), script);
    expect((await bash(`'${process.execPath}' --check containers.mjs`)).stderr).toBe('');
    const paths = [...PAGE.matchAll(/forHttp\(['"]([^'"]+)['"]/g)].map(([, path]) => path);
    expect(new Set(paths)).toEqual(new Set(['/_sandbox/ready']));
  });

  test('The options of containers are options of start.', async () => {
    for (const [, words = ''] of PAGE.matchAll(/command: \[(.*)\]/g)) {
      const { code, stderr } = await bash(`npx playmoney exec --quiet ${words.replaceAll(',', '')} -- true`);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
  });
});

interface Action {
  readonly inputs: Record<string, { readonly default: string }>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}

describe('action.yml', () => {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const files = { output: join(folder, 'output'), env: join(folder, 'env') };

  /** Runs a step as GitHub does: inputs in place, outputs and variables in files. */
  async function step(
    id: string,
    inputs: Record<string, string>,
    env: Record<string, string> = {},
  ): Promise<Ended> {
    const { run = '', env: own = {} } = action.runs.steps.find((one) => one.id === id) ?? {};
    const filled = Object.entries(own).map(([name, text]) => [
      name,
      text.replaceAll(
        /\$\{\{ inputs\.(\w+) \}\}/g,
        (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
      ),
    ]);
    for (const file of Object.values(files)) writeFileSync(file, '');
    const github = { GITHUB_OUTPUT: files.output, GITHUB_ENV: files.env, RUNNER_TEMP: folder };
    const ended = await bash(run, {
      ...github,
      ...env,
      ...(Object.fromEntries(filled) as Record<string, string>),
    });
    const pid = Number(variablesIn(files.env)['PLAYMONEY_ACTION_PID']);
    if (pid > 0) started.add(pid);
    return ended;
  }

  function variablesIn(file: string): Record<string, string> {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)) as [string, string][]);
  }

  test('starts the server, tells where it is, saves its calls and stops it.', async () => {
    const begun = await step('start', {
      program: PROGRAM,
      scenario: 'flaky-provider',
      args: '--clock manual --strict',
    });
    expect(begun).toMatchObject({ code: 0, stderr: '' });
    const { url = '', key = '' } = variablesIn(files.output);
    const env = variablesIn(files.env);
    expect({ url, key }).toEqual({ url: env['PLAYMONEY_URL'], key: 'sk_test_ci' });
    const world = await fetch(`${url}/_sandbox/world`, { headers: { 'x-secretkey': key } });
    expect(await world.json()).toMatchObject({ Clock: { Mode: 'manual' }, Scenario: expect.any(String) });
    expect((await fetch(`${url}/charge?Colour=1`, { headers: { 'x-secretkey': key } })).status).toBe(400);

    const stopped = await step('stop', { stop: 'true', journal: 'calls.har' }, env);
    expect(stopped).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(join(folder, 'calls.har'), 'utf8'))).toMatchObject({
      log: { entries: [{ response: { status: 400 } }] },
    });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('starts the package of a version through npx.', async () => {
    expect(await step('start', { version: VERSION, key: 'shop' })).toMatchObject({ code: 0 });
    const env = variablesIn(files.env);
    const headers = { 'x-secretkey': 'shop' };
    expect((await fetch(`${env['PLAYMONEY_URL'] ?? ''}/charge`, { headers })).status).toBe(200);
    expect(await step('stop', { stop: 'true' }, env)).toMatchObject({ code: 0, stderr: '' });
  });

  test('shows why the server did not start, also on a busy machine.', async () => {
    const starting = Array.from({ length: 12 }, () =>
      step('start', { program: PROGRAM, args: '--clock never' }),
    );
    for (const { code, stdout, stderr } of await Promise.all(starting)) {
      expect(stdout).toBe('::error::playmoney did not start\n');
      expect(stderr).toContain('--clock must be real, manual or a speed');
      expect(code).toBe(1);
    }
  });

  test('says that there is nothing to stop.', async () => {
    const { code, stdout } = await step('stop', { stop: 'true' });
    expect(stdout).toBe('::error::No earlier step started playmoney\n');
    expect(code).toBe(1);
  });
});
