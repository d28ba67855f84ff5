import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { VERSION } from '../../src/core/version.js';
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
    npm: `#!/bin/sh\n[ "$1" != ci ] || exec touch installed\nexec '${process.execPath}' '${join(folder, 'tests.mjs')}'\n`,
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

  test('The recipes use the action of the installed package, with inputs that it has.', () => {
    const jobs = inPage('yaml').flatMap((text) => {
      const recipe = parse(text) as { jobs?: Record<string, { steps?: Step[] }> };
      return Object.values(recipe.jobs ?? {});
    });
    const steps = jobs.flatMap((job) => job.steps ?? []);
    const used = steps.filter((step) => step.uses?.startsWith('.'));
    expect(new Set(used.map((step) => step.uses))).toEqual(new Set(['./node_modules/playmoney']));
    const inputs = used.flatMap((step) => Object.keys(step.with ?? {}));
    expect(inputs.filter((name) => !(name in action.inputs))).toEqual([]);
    expect(new Set(inputs)).toContain('sweep');
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
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Record<string, string>;
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

describe('action.yml', () => {
  const files = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };

  interface Used {
    readonly inputs?: Record<string, string>;
    readonly env?: Record<string, string>;
    /** Other contexts, such as `job.status`, by their expressions. */
    readonly contexts?: Record<string, string>;
  }

  /** Runs a step as GitHub does: expressions in place, outputs and variables in files. */
  async function step(id: string, { inputs = {}, env = {}, contexts = {} }: Used): Promise<Ended> {
    const { run = '', env: own = {} } = action.runs.steps.find((one) => one.id === id) ?? {};
    const valueOf = (expression: string): string => {
      const [, input] = /^inputs\.(\w+)$/.exec(expression) ?? [];
      if (input !== undefined) return inputs[input] ?? action.inputs[input]?.default ?? '';
      return expression.split(' || ').reduce((found, name) => found || (contexts[name] ?? ''), '');
    };
    const filled = Object.entries(own).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => valueOf(expression)),
    ]);
    for (const file of Object.values(files)) writeFileSync(file, '');
    const ended = await bash(run, {
      ...files,
      RUNNER_TEMP: folder,
      ...env,
      ...(Object.fromEntries(filled) as Record<string, string>),
    });
    const pid = Number(variablesIn(files.GITHUB_ENV)['ACTION_PLAYMONEY_PID']);
    if (pid > 0) started.add(pid);
    return ended;
  }

  function variablesIn(file: string): Record<string, string> {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)) as [string, string][]);
  }

  /** Installs the program, then runs another step with it. */
  async function use(id: string, used: Used = {}, path = ROOT): Promise<Ended> {
    const installed = await step('install', { ...used, contexts: { 'github.action_path': path } });
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const { launcher = '' } = variablesIn(files.GITHUB_OUTPUT);
    return step(id, { ...used, contexts: { ...used.contexts, 'steps.install.outputs.launcher': launcher } });
  }

  const FAILING = `curl -s "$PLAYMONEY_URL/charge?Reference=lost" -H "x-secretkey: $PLAYMONEY_KEY" >/dev/null; echo ran; false | cat`;

  test('starts the server, tells where it is, saves its calls and stops it.', async () => {
    const begun = await use('start', {
      inputs: { program: PROGRAM, scenario: 'flaky-provider', args: '--clock manual\n--strict\n' },
    });
    expect(begun).toMatchObject({ code: 0, stderr: '' });
    const { url = '', key = '' } = variablesIn(files.GITHUB_OUTPUT);
    const env = variablesIn(files.GITHUB_ENV);
    expect({ url, key }).toEqual({ url: env['PLAYMONEY_URL'], key: 'sk_test_ci' });
    const world = await fetch(`${url}/_sandbox/world`, { headers: { 'x-secretkey': key } });
    expect(await world.json()).toMatchObject({ Clock: { Mode: 'manual' }, Scenario: expect.any(String) });
    expect((await fetch(`${url}/charge?Colour=1`, { headers: { 'x-secretkey': key } })).status).toBe(400);

    const inputs = { stop: 'true', journal: 'calls.har' };
    const stopped = await use('stop', { inputs, env, contexts: { 'job.status': 'success' } });
    expect(stopped).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(join(folder, 'calls.har'), 'utf8'))).toMatchObject({
      log: { entries: [{ response: { status: 400 } }] },
    });
    expect(existsSync(join(folder, 'playmoney-bundle.json'))).toBe(false);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('passes on the certificate and the admin token, masked, so that the step that stops keeps the world of a job that has failed.', async () => {
    const args = `--https --tls-dir ${join(folder, 'tls')} --admin-token open-sesame`;
    const begun = await use('start', { inputs: { args } });
    expect(begun).toMatchObject({ code: 0, stdout: '::add-mask::open-sesame\n', stderr: '' });
    const env = variablesIn(files.GITHUB_ENV);
    expect(env).toMatchObject({
      PLAYMONEY_URL: expect.stringMatching(/^https:/) as string,
      PLAYMONEY_KEY: 'sk_test_ci',
      PLAYMONEY_ADMIN_TOKEN: 'open-sesame',
    });
    const read = `fetch(process.env.PLAYMONEY_URL + '/charge', { headers: { 'x-secretkey': 'sk_test_ci' } }).then(({ status }) => console.log(status))`;
    expect(await bash(`'${process.execPath}' -e "${read}"`, env)).toMatchObject({ stdout: '200\n' });
    const inputs = { stop: 'true', journal: 'secure.har', bundle: 'secure.json' };
    const stopped = await use('stop', { inputs, env, contexts: { 'job.status': 'failure' } });
    expect(stopped).toMatchObject({ code: 0, stderr: '' });
    expect(variablesIn(files.GITHUB_OUTPUT)).toEqual({ bundle: 'secure.json' });
    for (const name of ['secure.har', 'secure.json'])
      expect(readFileSync(join(folder, name), 'utf8')).toContain('/charge');
  });

  test('runs a command, and keeps its failure.', async () => {
    const inputs = { run: FAILING, journal: 'run.har', args: '--clock manual', bundle: 'run.json' };
    writeFileSync(join(folder, 'run.json'), 'of an earlier step');
    const { code, stdout, stderr } = await use('run', { inputs });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'ran\n' });
    expect(stderr).toContain('Open it with: playmoney open run.json\n');
    expect(variablesIn(files.GITHUB_OUTPUT)).toEqual({ bundle: 'run.json' });
    for (const name of ['run.json', 'run.har'])
      expect(readFileSync(join(folder, name), 'utf8')).toContain('lost');
  });

  test('runs a command that succeeds without keeping anything.', async () => {
    writeFileSync(join(folder, 'none.json'), 'of an earlier step');
    const inputs = { run: 'npm test', bundle: 'none.json', scenario: 'flaky-provider' };
    const { code, stdout } = await use('run', { inputs });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'tested\n' });
    expect(readFileSync(files.GITHUB_OUTPUT, 'utf8')).toBe('');
    expect(existsSync(join(folder, 'none.json'))).toBe(false);
  });

  test('runs a command under every failure, and puts the report into the summary.', async () => {
    mkdirSync(join(folder, 'playmoney-sweep'), { recursive: true });
    writeFileSync(join(folder, 'playmoney-sweep/of-an-earlier-step'), '');
    const headers = '-H "x-secretkey: $PLAYMONEY_KEY" -H content-type:application/json';
    const charge = `curl -s "$PLAYMONEY_URL/charge/token" ${headers} -d '{"Amount":5,"Token":"tok_approve"}'`;
    const inputs = { sweep: 'true', args: '--fault lost' };
    const once = await use('run', { inputs: { ...inputs, run: `${charge} || true` } });
    expect(once).toMatchObject({ code: 0, stderr: '' });
    const twice = await use('run', { inputs: { ...inputs, run: `${charge} || ${charge}` } });
    expect(twice).toMatchObject({ code: 1, stderr: '' });
    expect(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^## sweep: NOT SAFE\. .*\n\n(?:.*\n)*\| charged twice \| charge\.create \| lost \| /,
    );
    expect(variablesIn(files.GITHUB_OUTPUT)).toEqual({ report: 'playmoney-sweep' });
    expect(readdirSync(join(folder, 'playmoney-sweep'))).toContain('sweep.html');
    expect(readdirSync(join(folder, 'playmoney-sweep'))).not.toContain('of-an-earlier-step');
    const wrong = await use('run', { inputs: { ...inputs, run: 'true', scenario: 'flaky-provider' } });
    expect(wrong.stderr).toContain('sweep does not take --scenario');
    expect(wrong.code).toBe(2);
    expect(readFileSync(files.GITHUB_OUTPUT, 'utf8')).toBe('');
  });

  test('says in the summary how to open what it kept.', async () => {
    const contexts = { 'steps.run.outputs.bundle': 'reports/run.json' };
    expect(await step('summary', { contexts })).toMatchObject({ code: 0, stderr: '' });
    const summary = readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8');
    expect(summary).toContain('The artifact **playmoney** has the file `run.json`');
    expect(summary).toContain('\n```sh\nnpx playmoney open run.json\n```\n');
    await step('summary', { inputs: { artifact: '' }, contexts: { 'steps.stop.outputs.bundle': 'b.json' } });
    expect(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('The job left the file `b.json`');
  });

  test('uploads the bundle, the report and the journal, also after a failure.', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(upload?.if).toMatch(
      /^always\(\) && .*steps\.run\.outputs\.bundle != '' \|\| steps\.run\.outputs\.report != '' \|\| steps\.stop/,
    );
    expect(upload?.with?.['path']).toContain('steps.run.outputs.bundle || steps.stop.outputs.bundle');
    expect(upload?.with?.['path']).toContain('${{ steps.run.outputs.report }}');
  });

  test('installs the repository that it stands in, if it is not built.', async () => {
    const path = join(folder, 'the action');
    mkdirSync(join(path, 'build'), { recursive: true });
    const entry = `import(${JSON.stringify(PROGRAM)})`;
    writeFileSync(
      join(path, 'build/build.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
       mkdirSync('dist');
       writeFileSync('dist/cli.js', ${JSON.stringify(entry)});`,
    );
    const { code, stdout } = await use('run', { inputs: { run: 'echo "$PLAYMONEY_KEY"' } }, path);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'sk_test_ci\n' });
    expect(existsSync(join(path, 'installed'))).toBe(true);
  });

  test('starts the package of a version through npx.', async () => {
    expect(await use('start', { inputs: { version: VERSION, key: 'shop' } })).toMatchObject({ code: 0 });
    const env = variablesIn(files.GITHUB_ENV);
    const headers = { 'x-secretkey': 'shop' };
    expect((await fetch(`${env['PLAYMONEY_URL'] ?? ''}/charge`, { headers })).status).toBe(200);
    const stopped = await use('stop', {
      inputs: { stop: 'true' },
      env,
      contexts: { 'job.status': 'success' },
    });
    expect(stopped).toMatchObject({ code: 0, stderr: '' });
  });

  test('shows why the server did not start, also on a busy machine.', async () => {
    await step('install', { inputs: { program: PROGRAM } });
    const contexts = { 'steps.install.outputs.launcher': variablesIn(files.GITHUB_OUTPUT)['launcher'] ?? '' };
    const starting = Array.from({ length: 12 }, () =>
      step('start', { inputs: { args: '--clock never' }, contexts }),
    );
    for (const { code, stdout, stderr } of await Promise.all(starting)) {
      expect(stdout).toBe('::error::playmoney did not start\n');
      expect(stderr).toContain('--clock must be real, manual or a speed');
      expect(code).toBe(1);
    }
  });

  test('says that there is nothing to stop.', async () => {
    const { code, stdout } = await step('stop', { inputs: { stop: 'true' } });
    expect(stdout).toBe('::error::No earlier step started playmoney\n');
    expect(code).toBe(1);
  });
});
