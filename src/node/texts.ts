import { readTexts } from './machine/shipped.js';

/** Reads the texts of the package. The build puts this in place of the constant, so that its bundles share one file. */
export const __TEXTS__ = readTexts;
