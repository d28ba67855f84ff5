import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { mergeConfig } from 'vitest/config';

import base from '../../vitest.config.js';
import type { Mutant } from './list.js';

const ROOT = join(import.meta.dirname, '../..');
const { MUTANT } = process.env;
const mutant = MUTANT === undefined ? null : (JSON.parse(MUTANT) as Mutant);

/** Tests over sources with one bug in them: what is on disk stays as it is. */
export default mergeConfig(base, {
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load(id: string) {
        if (mutant === null || id !== join(ROOT, mutant.file)) return null;
        const text = readFileSync(id, 'utf8');
        if (text.split(mutant.find).length !== 2) throw new Error(`${mutant.file} has moved on`);
        return text.replace(mutant.find, () => mutant.replace);
      },
    },
  ],
});
