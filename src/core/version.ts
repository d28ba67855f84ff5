/** Put in by the build (and by vitest) from package.json. */
declare const __VERSION__: string;

export const VERSION: string = __VERSION__;
