import { CHARGES } from './charges/routes.js';
import type { Section } from './http/route.js';

/** Every operation of the service and of the sandbox itself, in the order of the documents. */
export const SECTIONS: readonly Section[] = [CHARGES];
