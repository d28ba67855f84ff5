import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

import { expect, test } from 'vitest';

import { type Consumer, emptyConsumer, linkedConsumer } from './consumer.js';

const PROGRAM = `import { createSandbox } from 'playmoney';

const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-secretkey': 'sk_test_a' } };
async function run() {
  const sandbox = createSandbox({ clock: 'manual' });
  const { status } = await sandbox.fetch('http://x/charge/token', { ...init, body: '{"Amount":5,"Token":"tok_approve"}' });
  const { scenario } = sandbox.world();
  console.log(await scenario.use('rate-limited').then(() => 'used', ({ status, message }) => status + ' ' + message));
  sandbox.close();
  const other = createSandbox({ scenario: 'rate-limited' });
  console.log(status, (await other.world().state()).scenario);
  other.close();
}
run().catch(({ message }) => console.log(message));
`;

/** Bundles the program, as its users do, into a folder of the project. */
async function bundled(consumer: Consumer, format: 'cjs' | 'esm'): Promise<string> {
  consumer.write('program.js', PROGRAM);
  const name = format === 'cjs' ? 'program.cjs' : 'program.mjs';
  const { outputFiles } = await build({
    entryPoints: [join(consumer.folder, 'program.js')],
    bundle: true,
    platform: 'node',
    format,
    write: false,
    logLevel: 'error',
  });
  mkdirSync(join(consumer.folder, 'out'), { recursive: true });
  consumer.write(`out/${name}`, outputFiles[0]?.text ?? '');
  return outputFiles[0]?.text ?? '';
}

test.each(['cjs', 'esm'] as const)(
  'A program that esbuild bundles as %s charges, and has the scenarios of the installed package.',
  async (format) => {
    const consumer = linkedConsumer();
    const text = await bundled(consumer, format);
    const file = format === 'cjs' ? 'program.cjs' : 'program.mjs';
    expect(await consumer.run([`out/${file}`])).toEqual({ code: 0, output: 'used\n201 rate-limited\n' });
    consumer.remove();

    const elsewhere = emptyConsumer();
    elsewhere.write(file, text);
    const { output } = await elsewhere.run([file]);
    const reason = String.raw`The files of playmoney are not beside its code\. Leave playmoney out of the bundle.*\n`;
    expect(output).toMatch(new RegExp(`^501 .*${reason}.*${reason}$`));
    elsewhere.remove();
  },
);
