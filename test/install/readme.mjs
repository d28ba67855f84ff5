import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const README = join(import.meta.dirname, '../../README.md');

/** The two commands of "Install" in the README: the one for a clone of the repository, and the one for the user's project. */
export function readInstallLines() {
  const readme = readFileSync(README, 'utf8');
  const [inClone, inProject] = ['in a clone of this repository', 'in your project'].map((place) => {
    const line = new RegExp(`^(npm .*?) +# ${place}`, 'm').exec(readme);
    if (line === null)
      throw new Error(`README.md has no line "npm … # ${place}", which the installation test runs.`);
    return line[1];
  });
  return { inClone, inProject };
}
