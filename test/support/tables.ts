import { hashText, Identifiers } from '../../src/core/random.js';

/** The identifiers of a table that stands alone. */
export const tableIds = (kind = 'thing') => new Identifiers(hashText('a table alone'), kind);
