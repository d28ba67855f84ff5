import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

/** `make-types FROM TO` writes the types of a description, as a client's author has them made. */
const [, , from = '', to = ''] = process.argv;
writeFileSync(to, astToString(await openapiTS(pathToFileURL(from))));
