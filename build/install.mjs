// Installs the packages of a folder that has a package.json and a lock file of its own, unless they are there:
// node build/install.mjs FOLDER. `npm run bench` and `npm run docs` begin with it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { installFolder } from '../test/support/figures.mjs';

const folder = resolve(import.meta.dirname, '..', process.argv[2]);
const { dependencies } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
for (const name of Object.keys(dependencies)) await installFolder(folder, name);
