/** The value of `__TEXTS__`: dist/texts.json. `note` receives the metafile of esbuild. */
export function allTexts(note?: (metafile: object) => void): Promise<string>;
