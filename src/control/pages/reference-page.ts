import { once } from '../../core/once.js';
import { readAsset } from './assets.js';
import { escapeHtml, livePage, pageLinks } from './html.js';
import { operationPart } from './reference-operation.js';
import {
  type ApiDescription,
  fieldTable,
  type ReferenceOperation,
  type ReferenceSchema,
} from './reference-schema.js';

interface ReferenceEntry {
  readonly method: string;
  readonly path: string;
  readonly operation: ReferenceOperation;
}

/** The list of all operations, from the OpenAPI description. Its script loads a part of the page when it is opened. */
function referencePage(description: ApiDescription): string {
  const all = listReferenceEntries(description);
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
${paragraphsPart(description.info.description)}
<p><a href="/_sandbox/openapi.json" download>OpenAPI 3.1</a> · <a href="#schemas">Schemas</a></p>
</header>
<nav aria-label="Sections"><ul>
${sections.map(({ name }) => `<li><a href="#${tagAnchor(name)}">${escapeHtml(name)}</a></li>`).join('\n')}
</ul></nav>
<main>
${sections.map(({ name, description: text, entries }) => sectionPart(name, text, entries)).join('\n')}
<section id="schemas"><h2>Schemas</h2><p>The objects in answers.</p>
${listAnswerSchemas(description)
  .map(([name]) => foldedPart('schema', `schema-${name}`, name))
  .join('\n')}
</section>
</main>`;
  return livePage('playmoney: reference', ['reference.js'], content, REFERENCE_STYLES);
}

const REFERENCE_STYLES = ['page.css', 'reference.css'];

function listReferenceEntries(description: ApiDescription): ReferenceEntry[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function sectionPart(name: string, text: string, entries: readonly ReferenceEntry[]): string {
  const operations = entries.map(({ method, path, operation: { operationId, summary } }) => {
    const words = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
    return foldedPart(
      'operation',
      operationId,
      `<span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>
<span class="what">${escapeHtml(summary)}</span>`,
      ` data-words="${escapeHtml(words)}"`,
    );
  });
  return `<section id="${tagAnchor(name)}" data-section>
<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(text)}</p>
${operations.join('\n')}
</section>`;
}

/** A part whose content is a page of its own until it is opened. */
function foldedPart(kind: string, id: string, summary: string, more = ''): string {
  return `<details class="${kind}" id="${id}"${more}><summary>${summary}</summary><p><a class="part" href="/_sandbox/reference/${id}">Show</a></p></details>`;
}

/** The schemas of answers. Those of requests are shown with their operations. */
function listAnswerSchemas(description: ApiDescription): [name: string, schema: ReferenceSchema][] {
  const schemas = Object.entries(description.components['schemas'] ?? {}) as [string, ReferenceSchema][];
  return schemas.filter(([name]) => !/Input\d*$/.test(name));
}

/** The page of one operation or schema; null if there is none of this name. */
function partPage(description: ApiDescription, id: string): string | null {
  const entry = listReferenceEntries(description).find(({ operation }) => operation.operationId === id);
  const [, schema] = listAnswerSchemas(description).find(([name]) => `schema-${name}` === id) ?? [];
  const part =
    entry === undefined
      ? schema && fieldTable(description, schema, 'Fields')
      : operationPart(description, entry.method, entry.path, entry.operation);
  if (part === undefined) return null;
  const title = entry === undefined ? id.replace('schema-', '') : entry.operation.summary;
  const content = `${pageLinks(null)}\n<main><h1>${escapeHtml(title)}</h1>\n<div class="about">${part}</div></main>`;
  return livePage(title, ['reference.js'], content, REFERENCE_STYLES);
}

/** Text with blank lines between its paragraphs and code between backquotes. */
function paragraphsPart(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('\n');
}

function tagAnchor(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** The reference page and its parts. This module is loaded when one is first requested. */
export const readReference = once(async () => {
  const description = JSON.parse(await readAsset('openapi.json')) as ApiDescription;
  return { list: referencePage(description), part: (id: string) => partPage(description, id) };
});
