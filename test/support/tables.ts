import { hashText, Identifiers } from '../../src/core/ids/random.js';
import { listRecords } from '../../src/core/store/search.js';
import type { Candidates, StoredRecord } from '../../src/core/store/store.js';

/** The identifiers of a table that stands alone. */
export const tableIds = (kind = 'thing') => new Identifiers(hashText('a table alone'), kind);

/** Which records were found, by their indexes. */
export const indexesOf = (found: Candidates<StoredRecord>) =>
  [...listRecords(found)].map(({ index }) => index);

/** The words of a text, as rows of a table: what blanks part. */
export const words = ({ raw: [text = ''] }: TemplateStringsArray): string[] => text.trim().split(/\s+/);

/** Texts that may hold blanks, as rows of a table: what bars part, and the ends of lines behind them. */
export const cells = ([text = '']: TemplateStringsArray): string[] =>
  (/^\n *([\s\S]*)\n *$/.exec(text)?.[1] ?? text).split(/\|(?:\n *)?/);

/** Each value with the name of its list before it, as rows of a table. */
export const byName = <Value>(
  lists: Readonly<Record<string, readonly Value[]>>,
): [name: string, value: Value][] =>
  Object.entries(lists).flatMap(([name, values]) => values.map((value): [string, Value] => [name, value]));
