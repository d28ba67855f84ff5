import { readFileSync } from 'node:fs';

import { inPackage } from './machine/places.js';

/** The texts of the package. The build puts this in place of the constant, so that its bundles share one file. */
export const __TEXTS__ = readFileSync(inPackage('dist/texts.json'), 'utf8');
