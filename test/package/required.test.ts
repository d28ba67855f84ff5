import { describe, expect, test } from 'vitest';

import { type Consumer, forFile, linkedConsumer } from './consumer.js';

/** Charges by address with the global fetch; the charge is on the page of whoever reads the same world. */
const CHARGE = `const charge = (url, key, Webhook) => fetch(url + '/charge/token', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-secretkey': key },
  body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook }),
});`;

const consumer = forFile(linkedConsumer());

const run = (...args: string[]): ReturnType<Consumer['run']> =>
  consumer.run(['--no-experimental-require-module', ...args]);

describe('required by a Node that cannot require ES modules', () => {
  test('is the same code as when it is imported, whichever comes first', async () => {
    consumer.write(
      'both.cjs',
      `const assert = require('node:assert');
       ${CHARGE}
       (async () => {
         const early = process.argv[2] === 'import' ? await import('playmoney') : null;
         const required = require('playmoney');
         const imported = early ?? (await import('playmoney'));
         assert.deepEqual(Object.keys(required).toSorted(), Object.keys(imported).toSorted());
         for (const name of Object.keys(required)) assert.equal(required[name], imported[name]);

         const sandbox = imported.createSandbox({ scenario: 'lost-answer', clock: 'manual' });
         const server = await required.serve(sandbox);
         const restore = sandbox.intercept('https://one.test');
         const other = required.createSandbox();
         const restoreOther = other.intercept('https://two.test');
         restore();
         assert.equal((await charge('https://two.test', 'sk_test_two')).status, 201);
         restoreOther();
         assert.equal((await required.connect(server.url).state()).scenario, 'lost-answer');
         const refused = await sandbox.world().clock.advance({ to: '2000-01-01' }).catch((error) => error);
         assert.ok(refused instanceof required.SandboxError);
         await server.close();
         console.log('one');
       })();`,
    );
    for (const first of ['import', 'require'])
      expect(await run('both.cjs', first)).toEqual({ code: 0, output: 'one\n' });
  });

  test('finds its scenarios and the program of its delivery thread', async () => {
    consumer.write(
      'files.cjs',
      `const { createServer } = require('node:http');
       const { createSandbox } = require('playmoney');
       ${CHARGE}
       process.once('worker', () => console.log('a thread'));
       process.on('warning', (warning) => console.log(warning));
       const receiver = createServer((request, response) => response.end()).listen(0, '127.0.0.1', async () => {
         const sandbox = createSandbox({ scenario: 'rate-limited' });
         const world = sandbox.world();
         console.log((await world.state()).scenario);
         await world.scenario.clear();
         const restore = sandbox.intercept('https://api.test');
         await charge('https://api.test', world.key, { Url: 'http://127.0.0.1:' + receiver.address().port });
         const [delivery] = await world.deliveries.await('transaction.status.changed');
         console.log(delivery.status);
         restore();
         sandbox.close();
         receiver.close();
       });`,
    );
    expect(await run('files.cjs')).toEqual({ code: 0, output: 'rate-limited\na thread\ndelivered\n' });
  });

  test.each(['require', 'import'])(
    '%s loads nothing of what takes a start of Node so long: its network',
    async (how) => {
      consumer.write(
        'load.cjs',
        `const before = new Set(process.moduleLoadList);
       const load = { require: async () => require('playmoney'), import: () => import('playmoney') };
       load[process.argv[2]]().then(() => {
         const files = Object.keys(require.cache).length;
         const loaded = process.moduleLoadList.filter((name) => !before.has(name));
         const late = /^NativeModule (?:net|tls|http|https|http2|crypto|dns|worker_threads|inspector)$/;
         console.log(files, loaded.includes('NativeModule v8'), loaded.filter((name) => late.test(name)));
       });`,
      );
      // The file itself, the package's entry, and the file with the code.
      const output = how === 'require' ? '3 true []\n' : '1 true []\n';
      expect(await run('load.cjs', how)).toEqual({ code: 0, output });
    },
  );
});
