import { OPENAPI } from './openapi.js';
import type { Description } from './reference-model.js';
import { referencePage } from './reference-page.js';

/** The reference page, made when somebody first looks at it. */
export const REFERENCE = referencePage(JSON.parse(OPENAPI) as Description);
