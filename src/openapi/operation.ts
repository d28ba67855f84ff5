import type { AnyRow } from '../http/route.js';

/** What the document says of a row. */
export type OperationRow = Omit<AnyRow, 'operation' | 'asked' | 'handle'>;
