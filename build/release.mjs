// Writes a new version into the pages and starts its section in CHANGELOG.md. `npm version` runs this script after it has
// changed package.json and package-lock.json. How to release: CONTRIBUTING.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, owner] = /github\.com\/([^/]+)\//.exec(repository.url) ?? [];

/** Replaces every match in a file of the repository, and prints the name of the file if it changed. */
function rewrite(name, pattern, replacement) {
  const path = join(root, name);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(pattern, replacement);
  if (after === before) return;
  writeFileSync(path, after);
  process.stdout.write(`${name}: version ${version}\n`);
}

rewrite('README.md', /(?<=\/playmoney-)\d.*?(?=\.tgz)/g, version);
for (const name of ['docs/guides/ci.md', 'integrations/testcontainers/playmoney-container.ts']) {
  rewrite(name, /(?<=\/playmoney:)\d+\.\d+\.\d+(?:-[\w.]+)?/g, version);
}
rewrite('integrations/python/pyproject.toml', /(?<=^version = ")[^"]*/m, version);
// So that the place of the repository is written in package.json alone.
rewrite('docs/guides/ci.md', /(?<=uses: )[\w.-]+(?=\/playmoney@)/g, owner);
const today = new Date().toISOString().slice(0, 10);
rewrite('CHANGELOG.md', /^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${today}\n`);
process.stdout.write('Next: npm run generate\n');
