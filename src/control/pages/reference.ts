import type { Description } from './reference-model.js';
import { referencePage } from './reference-page.js';

// The description stays a file of its own, which is also asked for by itself.
const { OPENAPI } = await import('./openapi.js');

/** The description as a page: made once, when the first sandbox of the process is asked for it. */
export const REFERENCE = referencePage(JSON.parse(OPENAPI) as Description);
