// Writes a new version into the pages and starts its section in CHANGELOG.md. `npm version` runs this script after it has
// changed package.json and package-lock.json. Run again for the same version, it changes nothing, which the release workflow
// checks. How to release: docs/releasing.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Replaces every match in a file of the repository, and prints the name of the file if it changed. */
function rewrite(name, pattern, replacement) {
  const path = join(root, name);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(pattern, replacement);
  if (after === before) return;
  writeFileSync(path, after);
  process.stdout.write(`${name}: version ${version}\n`);
}

const examples = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((one) =>
  one.isDirectory(),
);
// The packed file, and the image.
for (const name of [
  'README.md',
  'docs/guides/ci.md',
  'integrations/testcontainers/playmoney-container.ts',
  ...examples.map((one) => `examples/${one.name}/package.json`),
]) {
  rewrite(name, /(?<=\bplaymoney[-:])\d+\.\d+\.\d+(?:-\w+(?:\.\d+)*)?/g, version);
}
rewrite('integrations/python/pyproject.toml', /(?<=^version = ")[^"]*/m, version);
if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} - `)) {
  const today = new Date().toISOString().slice(0, 10);
  rewrite('CHANGELOG.md', /^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${today}\n`);
}
process.stdout.write('Next: npm run generate\n');
