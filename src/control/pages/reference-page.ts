import { requireAsset } from './assets.js';
import { escapeHtml, livePage, pageLinks } from './html.js';
import { operationPart } from './reference-operation.js';
import { type Description, fieldTable, type Operation, type Schema } from './reference-schema.js';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** All operations as a page, from the OpenAPI description. */
function referencePage(description: Description): string {
  const all: Entry[] = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = description.tags.map((tag) => ({
    ...tag,
    entries: all.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const content = `${pageLinks('Reference')}
<header>
<h1>${escapeHtml(description.info.title)}: reference</h1>
${paragraphs(description.info.description)}
<p><a href="/_sandbox/openapi.json" download>OpenAPI 3.1</a> · <a href="#schemas">Schemas</a></p>
<form class="setting" id="search" role="search">
<label for="words">Search ${all.length} operations</label>
<input id="words" type="search" autocomplete="off" placeholder="refund, /charge, DELETE …">
<p class="soft" id="found" role="status"></p>
</form>
</header>
<nav aria-label="Sections"><ul>
${sections.map(({ name }) => `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a></li>`).join('\n')}
</ul></nav>
<main>
${sections.map(({ name, description: text, entries }) => sectionPart(description, name, text, entries)).join('\n')}
${schemasPart(description)}
</main>`;
  return livePage('playmoney: reference', ['reference.js'], content, ['page.css', 'reference.css']);
}

function sectionPart(
  description: Description,
  name: string,
  text: string,
  entries: readonly Entry[],
): string {
  return `<section id="${anchorOf(name)}" data-section>
<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(text)}</p>
${entries.map(({ method, path, operation }) => operationPart(description, method, path, operation)).join('\n')}
</section>`;
}

/** The schemas of answers. Those of requests are shown with their operations. */
function schemasPart(description: Description): string {
  const schemas = Object.entries(description.components['schemas'] ?? {}).filter(
    ([name]) => !/Input\d*$/.test(name),
  );
  const parts = schemas.map(([name, schema]) => {
    return `<details class="schema" id="schema-${name}"><summary>${name}</summary>
${fieldTable(description, schema as Schema, 'Fields')}
</details>`;
  });
  return `<section id="schemas"><h2>Schemas</h2><p>The objects in answers.</p>\n${parts.join('\n')}\n</section>`;
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

/** The reference page. This module is loaded when the page is first requested. */
export const REFERENCE = requireAsset('openapi.json').then(({ text }) =>
  referencePage(JSON.parse(text) as Description),
);
