// Makes the anchors of headings and the targets of links the same as on GitHub.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';

const LINK_TO_PAGE = /\]\(([^)#\s]+\.md)(?:#[^)\s]*)?\)/g;
const ELSEWHERE = /^(?:[a-z]+:|\/\/|#)/;

export function useManualMarkdown(md) {
  // Eleventy disables indented code blocks; GitHub supports them.
  md.enable('code');
  md.core.ruler.push('manual', ({ tokens, env }) => {
    const slugger = new GithubSlugger();
    tokens.forEach((token, at) => {
      if (token.type === 'heading_open') token.attrSet('id', slugger.slug(textOf(tokens[at + 1])));
      // An empty corner cell is not a heading.
      if (token.type === 'th_open' && tokens[at + 1].content === '') token.tag = tokens[at + 2].tag = 'td';
      for (const child of token.children ?? []) followLink(child, posix.normalize(env.page.inputPath));
    });
  });
  // Wide tables and code scroll separately, also with the keyboard.
  md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  for (const kind of ['fence', 'code_block']) {
    const plain = md.renderer.rules[kind];
    md.renderer.rules[kind] = (...of) => plain(...of).replace('<pre', '<pre tabindex="0"');
  }
}

function textOf({ children }) {
  return children.map(({ type, content }) => (/^(?:text|code_inline)$/.test(type) ? content : '')).join('');
}

function followLink(token, from) {
  const name = { link_open: 'href', image: 'src' }[token.type];
  const link = name && token.attrGet(name);
  if (link && !ELSEWHERE.test(link)) token.attrSet(name, addressOf(link, from));
}

/** The target of a link in the site: another page, or a copied file. */
export function addressOf(link, from) {
  const [path, anchor] = link.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const target = targetOf(path, from);
  if (!existsSync(target)) throw new Error(`${from} links to ${link}, but ${target} does not exist.`);
  if (isPage(target))
    return (
      wayTo(from, target)
        .replace(/(^|\/)README\.md$/, '$1index.html')
        .replace(/\.md$/, '.html') + hash
    );
  if (/^(?:docs|scenarios)\/.*\.(?:svg|png|json)$/.test(target)) return link;
  throw new Error(`${from} links to ${link}, which is neither a page of the site nor copied into it.`);
}

/** The pages that a page links to, in order. */
export function linkedPages(from, text) {
  const links = [...text.matchAll(LINK_TO_PAGE)].map(([, path]) => path);
  return links.filter((path) => !ELSEWHERE.test(path)).map((path) => targetOf(path, from));
}

/** The file that a link names; for a folder with pages, its first page. */
function targetOf(path, from) {
  const target = posix.join(posix.dirname(from), decodeURIComponent(path)).replace(/\/$/, '');
  if (!existsSync(target) || !statSync(target).isDirectory()) return target;
  const names = readdirSync(target).toSorted();
  const first = names.includes('README.md') ? 'README.md' : names.find((name) => name.endsWith('.md'));
  const page = posix.join(target, first ?? '');
  return isPage(page) ? page : target;
}

function isPage(path) {
  return /^(?:README|CONTRIBUTING|SECURITY|(?:bench|docs)\/.*)\.md$/.test(path);
}

function wayTo(from, to) {
  return posix.relative(posix.dirname(from), to);
}
