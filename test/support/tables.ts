import { hashText, Identifiers } from '../../src/core/random.js';
import { recordsIn } from '../../src/core/search.js';
import type { Candidates, Stored } from '../../src/core/store.js';

/** The identifiers of a table that stands alone. */
export const tableIds = (kind = 'thing') => new Identifiers(hashText('a table alone'), kind);

/** Which records were found, by their indexes. */
export const indexesOf = (found: Candidates<Stored>) => [...recordsIn(found)].map(({ index }) => index);
