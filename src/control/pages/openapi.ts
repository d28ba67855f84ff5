import { shortHash } from '../../core/random.js';
import type { Asset } from './assets.js';

/** Put in by the build (and by vitest): docs/openapi.json without its white space. Apart, because few ask for it. */
declare const __OPENAPI__: string;
/** The text of the description. Named once: each use of what the build puts in would be another copy. */
export const OPENAPI = __OPENAPI__;

const TAG_LENGTH = 16;

/** The description of the interface, as it is handed out. */
export function openApi(): Asset {
  return {
    text: OPENAPI,
    tag: shortHash(OPENAPI, TAG_LENGTH),
    type: 'application/json; charset=utf-8',
  };
}
