/** Put in by the build (and by vitest) from package.json. */
declare const __VERSION__: string;

/** The version of this package, as package.json has it. */
export const VERSION: string = __VERSION__;
