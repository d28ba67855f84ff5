// Installs the packages of a folder that has its own package.json and lock file, unless they are installed:
// node build/install.mjs FOLDER. `npm run bench` and `npm run docs` start with it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { installFolder } from '../test/support/figures.mjs';

const folder = resolve(import.meta.dirname, '..', process.argv[2]);
const { dependencies } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
for (const name of Object.keys(dependencies)) await installFolder(folder, name);
