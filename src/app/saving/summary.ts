import * as field from '../../core/store/field.js';
import { isObject } from '../../core/text/text.js';
import type { WorldSummary } from '../../world/keeper.js';

/** How many there are of several kinds. */
export const countsCodec: field.Codec<Readonly<Record<string, number>>> = {
  read: (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, n]) => [name, field.readAt(name, field.count.read, n)]),
        )
      : field.invalid('must be an object'),
  write: (value) => value,
};

/** The line of a world in a list of worlds. */
export const summaryCodec: field.Codec<WorldSummary> = field.record({
  keyHash: field.anyText,
  name: field.maybeText,
  scenario: field.maybeText,
  now: field.instant,
  counts: countsCodec,
});

/** The summary at the beginning of a document. */
export function readSummary(text: string): WorldSummary {
  const { Summary } = JSON.parse(`${text.slice(0, text.indexOf(',"Key":'))}}`) as { Summary?: unknown };
  return summaryCodec.read(Summary);
}
