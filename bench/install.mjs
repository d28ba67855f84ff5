// Installs what playmoney is measured beside, unless it is there: `npm run bench` begins with it.
import { installFolder } from '../test/support/figures.mjs';

await installFolder(import.meta.dirname, 'fastify');
