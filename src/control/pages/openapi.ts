/** Put in by the build (and by vitest): docs/openapi.json without its white space. */
declare const __OPENAPI__: string;

/** The description of the interface as a text of 300 kB: a module of its own, loaded when somebody asks for it. */
export const OPENAPI = __OPENAPI__;
