// Writes RESULTS.md: a part for each command, below a description of the machine. A part is replaced when its command runs again.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

const require = createRequire(import.meta.url);
const FILE = new URL('RESULTS.md', import.meta.url);

const HEAD = `# Results

Written by the commands that stand above each part; README.md says what the goals are.
`;

const TITLES = {
  peers: 'Beside peers',
  'in process': 'In process',
  scale: 'At scale',
  worlds: 'Many worlds',
  runtimes: 'Everywhere',
};

/** A row of a table. */
export const row = (...cells) => `| ${cells.join(' | ')} |`;

/** A table, from the names of its columns and its rows. */
export function table(columns, rows) {
  return [row(...columns), row(...columns.map(() => '---')), ...rows].join('\n');
}

function machine() {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpu.model.trim()}, ${cpus().length} cores, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** The versions of playmoney and the other tools. */
function versions() {
  const { version } = require('../package.json');
  const { dependencies } = require('./package.json');
  const peers = Object.entries(dependencies).map(([name, number]) => `${name} ${number}`);
  return [`playmoney ${version}`, ...peers].join(', ');
}

/** Replaces the part of that name, or appends it. */
export async function writeSection(name, command, paragraphs) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const facts = [`\`${command}\``, machine(), versions()].join('<br>\n');
  const part = [begin, `## ${TITLES[name]}`, facts, ...paragraphs, end].join('\n\n');
  const before = await readFile(FILE, 'utf8').catch(() => HEAD);
  const from = before.indexOf(begin);
  const after =
    from < 0
      ? `${before.trimEnd()}\n\n${part}\n`
      : before.slice(0, from) + part + before.slice(before.indexOf(end) + end.length);
  await writeFile(FILE, after);
  console.log(part);
}
