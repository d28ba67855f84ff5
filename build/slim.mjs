// Leaves out what the program never needs of its packages, and of its own texts.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const CURRENCIES = createRequire(import.meta.url)('currency-codes').data;

/** What an operation is for, in the row of its route. */
const PURPOSE = /^ +(?:summary|text): (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`),$/gm;

/** What a field is for. */
const DESCRIPTION = /\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`),?\s*\)/g;

/** The same, and further checks, in the metadata of a schema. */
const META =
  /(?:\bdescription|'x-server-checks'):\s*(?:'(?:[^'\\]|\\.)+'|"(?:[^"\\]|\\.)+"|`[^`$]+`)(?:,|(?=\s*\}))/g;

export const slim = {
  name: 'slim',
  setup({ onLoad }) {
    // Names, numbers and countries are long, and in texts.json.
    onLoad({ filter: /\bcurrency-codes[\\/]index\.js$/ }, () => ({
      contents: `exports.data = "${CURRENCIES.map(({ code, digits }) => code + digits).join(' ')}".split(" ")
        .map((row) => ({ code: row.slice(0, 3), digits: Number(row.slice(3)) }));`,
    }));
    // Both stand in the OpenAPI description, which has been written before.
    onLoad(
      { filter: /\bsrc[\\/](?:control|http|resources|scenarios)[\\/].*\.ts$/, namespace: 'file' },
      async ({ path }) => ({
        contents: [PURPOSE, DESCRIPTION, META].reduce(
          (code, unused) => code.replaceAll(unused, ''),
          await readFile(path, 'utf8'),
        ),
        loader: 'ts',
      }),
    );
    // zod can describe schemas, which only the build does (src/openapi).
    onLoad({ filter: /\bzod[\\/]v4[\\/]core[\\/](?:to-)?json-schema[-\w]*\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const names = Array.from(code.matchAll(/^export (?:const|function|class) (\w+)/gm), ([, name]) => name);
      const exported = [...names, 'process'].map((name) => `leftOut as ${name}`);
      return { contents: `const leftOut = undefined;\nexport { ${exported.join(', ')} };` };
    });
  },
};
