// Writes the OpenAPI description, docs/openapi.json, from the sources; `npm run generate` runs it.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { importBundled } from './bundled.mjs';

// An example shows them.
const { PLACE_TEXTS: places } = await importBundled('build/places.ts');
const { openApiText } = await importBundled('src/openapi/document.ts', { places });
await writeFile(join(dirname(import.meta.dirname), 'docs/openapi.json'), await openApiText());
