import { shortHash } from '../core/random.js';
import type { Asset } from './assets.js';
import type { Description } from './reference-model.js';
import { referencePage } from './reference-page.js';

/** Put in by the build (and by vitest): docs/openapi.json without its white space. Apart, because few ask for it. */
declare const __OPENAPI__: string;
/** Named once: each use of what the build puts in would be another copy. */
const TEXT = __OPENAPI__;

const TAG_LENGTH = 16;

/** The description of the interface, as it is handed out. */
export function openApi(): Asset {
  return {
    text: TEXT,
    tag: shortHash(TEXT, TAG_LENGTH),
    type: 'application/json; charset=utf-8',
  };
}

/** The description as a page. */
export function reference(): string {
  return referencePage(JSON.parse(TEXT) as Description);
}
