import { once } from '../../core/once.js';
import { readAsset } from './assets.js';
import { escapeHtml, livePage, pageLinks } from './html.js';
import { operationPart } from './reference-operation.js';
import { type Description, fieldTable, type Operation, type Schema } from './reference-schema.js';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The list of all operations, from the OpenAPI description. Its script loads a part of the page when it is opened. */
function referencePage(description: Description): string {
  const all = entriesOf(description);
  const sections = description.tags.map((tag) => ({
    ...tag,
    entries: all.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const content = `${pageLinks('Reference')}
<header>
<h1>Reference</h1>
<form class="setting" id="search" role="search">
<label for="words">Search ${all.length} operations</label>
<input id="words" type="search" autocomplete="off" placeholder="refund, /charge, DELETE …">
<p class="soft" id="found" role="status"></p>
</form>
${paragraphs(description.info.description)}
<p><a href="/_sandbox/openapi.json" download>OpenAPI 3.1</a> · <a href="#schemas">Schemas</a></p>
</header>
<nav aria-label="Sections"><ul>
${sections.map(({ name }) => `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a></li>`).join('\n')}
</ul></nav>
<main>
${sections.map(({ name, description: text, entries }) => sectionPart(name, text, entries)).join('\n')}
<section id="schemas"><h2>Schemas</h2><p>The objects in answers.</p>
${schemasOf(description)
  .map(([name]) => folded('schema', `schema-${name}`, name))
  .join('\n')}
</section>
</main>`;
  return livePage('playmoney: reference', ['reference.js'], content, STYLES);
}

const STYLES = ['page.css', 'reference.css'];

function entriesOf(description: Description): Entry[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function sectionPart(name: string, text: string, entries: readonly Entry[]): string {
  const operations = entries.map(({ method, path, operation: { operationId, summary } }) => {
    const words = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
    return folded(
      'operation',
      operationId,
      `<span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>
<span class="what">${escapeHtml(summary)}</span>`,
      ` data-words="${escapeHtml(words)}"`,
    );
  });
  return `<section id="${anchorOf(name)}" data-section>
<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(text)}</p>
${operations.join('\n')}
</section>`;
}

/** A part whose content is a page of its own until it is opened. */
function folded(kind: string, id: string, summary: string, more = ''): string {
  return `<details class="${kind}" id="${id}"${more}><summary>${summary}</summary><p><a class="part" href="/_sandbox/reference/${id}">Show</a></p></details>`;
}

/** The schemas of answers. Those of requests are shown with their operations. */
function schemasOf(description: Description): [name: string, schema: Schema][] {
  const schemas = Object.entries(description.components['schemas'] ?? {}) as [string, Schema][];
  return schemas.filter(([name]) => !/Input\d*$/.test(name));
}

/** The page of one operation or schema; null if there is none of this name. */
function partPage(description: Description, id: string): string | null {
  const one = entriesOf(description).find(({ operation }) => operation.operationId === id);
  const [, schema] = schemasOf(description).find(([name]) => `schema-${name}` === id) ?? [];
  const part =
    one === undefined
      ? schema && fieldTable(description, schema, 'Fields')
      : operationPart(description, one.method, one.path, one.operation);
  if (part === undefined) return null;
  const title = one === undefined ? id.replace('schema-', '') : one.operation.summary;
  const content = `${pageLinks(null)}\n<main><h1>${escapeHtml(title)}</h1>\n<div class="about">${part}</div></main>`;
  return livePage(title, ['reference.js'], content, STYLES);
}

/** Text with blank lines between its paragraphs and code between backquotes. */
function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((one) => `<p>${escapeHtml(one).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('\n');
}

function anchorOf(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** The reference page and its parts. This module is loaded when one is first requested. */
export const readReference = once(async () => {
  const description = JSON.parse(await readAsset('openapi.json')) as Description;
  return { list: referencePage(description), part: (id: string) => partPage(description, id) };
});
