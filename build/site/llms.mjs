// llms.txt: an index of the manual for language models, in the form of https://llmstxt.org.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { addressOf } from './markdown.mjs';

const INDEX = 'docs/README.md';

/** The title and summary of README, then the links of the index of the manual with their descriptions. */
export function llmsText() {
  const [heading, summary] = readFileSync('README.md', 'utf8').split('\n\n');
  const [, ...sections] = readFileSync(INDEX, 'utf8').split(/^(?=## )/m);
  const parts = sections.map((section) => {
    const links = section
      .match(/^- .*$/gm)
      .map((line) => line.replace(/\]\((.*?)\)/, (_, link) => `](${inSite(link)})`));
    return `${section.split('\n', 1)[0]}\n\n${links.join('\n')}`;
  });
  return `${[heading, `> ${summary.replaceAll('\n', ' ')}`, ...parts].join('\n\n')}\n`;
}

/** The address of what the index links to, from the folder of llms.txt. */
function inSite(link) {
  return posix.join(posix.dirname(INDEX), addressOf(link, INDEX));
}
