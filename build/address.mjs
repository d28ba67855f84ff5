// Writes the address of the repository into package.json and the README of the pytest plugin, before the first publication as before each other:
//
//   npm run address -- https://github.com/OWNER/playmoney
//
// Provenance asks for it, and the pages of the registries lead their links there. With --check it fails if there is no address: so does
// `npm publish`, because a version cannot be published twice.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const file = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const [address = ''] = process.argv.slice(2);

if (address === '--check') {
  const missing = ['repository', 'homepage', 'bugs'].filter((field) => !(field in manifest));
  if (missing.length > 0)
    fail(
      `package.json has no ${missing.join(', ')}. Run: npm run address -- https://github.com/OWNER/playmoney`,
    );
} else if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+)+$/.test(address) || address.endsWith('.git')) {
  fail(
    `The address of the repository must be one such as https://github.com/OWNER/playmoney, not "${address}"`,
  );
} else {
  const links = {
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository: { type: 'git', url: `git+${address}.git` },
  };
  writeFileSync(file, `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`);
  const readme = join(root, 'integrations/python/README.md');
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replaceAll('](../../', `](${address}/blob/v${manifest.version}/`),
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
