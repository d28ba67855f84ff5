import { describe } from './document.js';
import { playExamples } from './examples.js';

/** The description of the interface as it is written down, one member a line. */
export async function openApiText(): Promise<string> {
  return `${JSON.stringify(describe(await playExamples()), null, 1)}\n`;
}
