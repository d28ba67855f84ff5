// The layout of a page.
import { byFolder, wayTo } from './navigation.mjs';

export function render({ collections, page, title, content }) {
  const to = (path) => wayTo(page.url, path);
  const name = page.url === '/' ? 'playmoney: the manual' : `${title} · playmoney`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('/assets/manual.css')}">
<script src="${to('/assets/search.js')}" defer></script>
</head>
<body>
${bar(to, '<button type="button" popovertarget="pages">Pages</button>')}
<div class="sides">
<nav id="pages" aria-label="Pages" popover>
${[...byFolder(collections.manual)].map(([folder, pages]) => folderPart(folder, pages, page, content)).join('\n')}
</nav>
<main>
${content}</main>
</div>
</body>
</html>
`;
}

/** The bar at the top of each page: links and the search. */
export function bar(to, more = '') {
  return `<nav class="bar" aria-label="Manual">
<a class="home" href="${to('/index.html')}">playmoney</a>
${more}
<a href="${to('/reference.html')}">API reference</a>
<a href="${to('/errors.html')}">Errors</a>
<a href="${to('/playground.html')}">Playground</a>
<form role="search" id="manual-search" aria-label="Manual">
<label for="manual-words">Search the manual</label>
<input id="manual-words" type="search" autocomplete="off" placeholder="Search ( / )">
<div id="manual-found" hidden><p role="status"></p><ol></ol></div>
</form>
</nav>`;
}

function folderPart(folder, pages, here, content) {
  if (folder === '.') return '';
  const links = pages.map((page) => pageLink(page, here, content));
  const list = `<ul>\n${links.join('\n')}\n</ul>`;
  if (folder === 'docs') return list;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const isOpen = pages.some(({ url, data }) => data.isNamed || url === here.url);
  return `<details${isOpen ? ' open' : ''}><summary>${name[0].toUpperCase()}${name.slice(1)}</summary>\n${list}\n</details>`;
}

function pageLink({ url, data }, here, content) {
  if (url !== here.url) return `<li><a href="${wayTo(here.url, url)}">${data.title}</a></li>`;
  const parts = [...content.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)].map(
    ([, id, name]) => `<li><a href="#${id}">${name.replaceAll(/<[^>]*>/g, '')}</a></li>`,
  );
  return `<li><a href="" aria-current="page">${data.title}</a>\n<ul>\n${parts.join('\n')}\n</ul></li>`;
}
