import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { blocksOf, forFile, installedConsumer } from './consumer.js';
import { type Docker, startDocker } from './docker.js';

const ROOT = join(import.meta.dirname, '../..');
/** The oldest version that is supported, and the newest for this version of Node. */
const VERSIONS = ['10.28.0', '11.14.0'];
const IMAGE = 'playmoney:0.1.0';
const scratch = temporaryFolder();

describe.each(VERSIONS)('with testcontainers %s', (version) => {
  const consumer = forFile(installedConsumer(`testcontainers@${version}`, '@types/node@20'));
  let docker: Docker;
  beforeAll(async () => {
    docker = await startDocker(join(scratch, version));
  });
  afterAll(() => docker.close());

  /** Runs a program of a user against the stand-in, and returns what it printed. */
  async function run(name: string, text: string): Promise<string> {
    consumer.write(name, text);
    const { code, output } = await consumer.run(['--no-experimental-require-module', name], {
      DOCKER_HOST: docker.host,
      TESTCONTAINERS_RYUK_DISABLED: 'true',
    });
    expect(code, output).toBe(0);
    return output;
  }

  test('a container plays a scenario, and its worlds are controlled as others are', async () => {
    consumer.write(
      'poor.yaml',
      'name: poor\nrules:\n  - when: { operation: charge.create }\n    then: { outcome: insufficient_funds }\n',
    );
    const output = await run(
      'all.js',
      `import { PlaymoneyContainer } from 'playmoney/testcontainers';
       const container = await new PlaymoneyContainer('${IMAGE}')
         .withScenario('poor.yaml')
         .withSeed('7')
         .withClock('manual')
         .withDialect('sdk')
         .withWebhookSecret('whsec_a')
         .withAdminToken('secret')
         .withEnvironment({ PLAYMONEY_STRICT: 'true' })
         .start();
       const world = container.world('sk_test_orders');
       const answer = await fetch(container.url + '/charge/token', {
         method: 'POST',
         headers: { 'content-type': 'application/json', 'x-secretkey': world.key },
         body: JSON.stringify({ Amount: 5, Token: 'tok_approve' }),
       });
       const { seed, dialect, scenario, clock } = await world.state();
       await world.clock.advance('1d');
       const own = await container.world().charges();
       await container.stop();
       console.log(JSON.stringify([answer.status, seed, dialect, scenario, clock.mode, await world.clock.now().catch(({ status }) => status), own, container.key]));`,
    );
    expect(JSON.parse(output)).toEqual([400, '7', 'sdk', 'poor', 'manual', 0, [], 'sk_test_local']);
    expect(docker.running()).toBe(0);
    expect(docker.asked.at(-1)).toMatchObject({
      Image: IMAGE,
      Env: expect.arrayContaining(['PLAYMONEY_STRICT=true']),
    });
  });

  test('a container is required from CommonJS, and plays a scenario of the library', async () => {
    const output = await run(
      'required.cjs',
      `const { PlaymoneyContainer } = require('playmoney/testcontainers');
       (async () => {
         const container = await new PlaymoneyContainer('${IMAGE}').withScenario('flaky-provider').start();
         const { scenario } = await container.world().state();
         await container.stop();
         console.log(scenario);
       })();`,
    );
    expect(output).toBe('flaky-provider\n');
  });

  test('the code of the manual runs', async () => {
    const [code = ''] = blocksOf('docs/guides/ci.md', 'js').filter((block) =>
      block.includes('testcontainers'),
    );
    await run('manual.js', `${code}\nawait container.stop();`);
    expect(docker.running()).toBe(0);
  });

  test('its source and its declarations are those of testcontainers', () => {
    copyFileSync(
      join(ROOT, 'integrations/testcontainers/playmoney-container.ts'),
      join(consumer.folder, 'source.ts'),
    );
    const use = `PlaymoneyContainer, StartedPlaymoneyContainer } from 'playmoney/testcontainers';
      const start = (): Promise<StartedPlaymoneyContainer> => new PlaymoneyContainer('a').withReuse().withSeed('1').start();
      export const charges = async () => (await (await start()).world().charges()).map(({ Status }) => Status);`;
    consumer.write('use.ts', `import { ${use}`);
    consumer.write('use.cts', `import { ${use}`);
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: object;
    };
    const own = {
      ...compilerOptions,
      module: 'nodenext',
      moduleResolution: 'nodenext',
      verbatimModuleSyntax: false,
    };
    consumer.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: own, include: ['source.ts', 'use.ts', 'use.cts'] }),
    );
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', consumer.folder], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
