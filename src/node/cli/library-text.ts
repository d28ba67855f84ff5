import { linesOf } from '../../core/text.js';
import type { ScenarioLibrary } from '../../scenarios/library.js';

const DESCRIPTION_WIDTH = 90;

/** The library as a table for a terminal: name, and the beginning of the description. */
export async function libraryText(library: ScenarioLibrary): Promise<string> {
  const entries = await library.list();
  const width = Math.max(...entries.map(({ name }) => name.length));
  const lines = entries.map(({ name, description }) =>
    `${name.padEnd(width)}  ${firstLine(description ?? '')}`.trimEnd(),
  );
  return linesOf(lines);
}

/** The first line of a text; a line that is too long ends at a word. */
export function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  if (line.length <= DESCRIPTION_WIDTH) return line;
  const end = line.lastIndexOf(' ', DESCRIPTION_WIDTH - 1);
  return `${line.slice(0, end > 0 ? end : DESCRIPTION_WIDTH - 1)}…`;
}
