import type { Context } from 'hono';
import { html } from 'hono/html';
import { escapeToBuffer } from 'hono/utils/html';

import type { Env } from '../../http/exchange.js';
import { buildAnswerHeaders } from '../../http/answers/respond.js';

/** Markup. `html` escapes each value that is not markup itself. */
export type Html = ReturnType<typeof html>;

/** A text, escaped for an element or a quoted attribute of a format other than the pages. */
export function escapeHtml(text: string): string {
  const buffer: [string] = [''];
  escapeToBuffer(text, buffer);
  return buffer[0];
}

/** The parts with a separator between them, by default on a line each. Null is left out. */
export function joinHtml(parts: readonly (Html | null)[], separator = '\n'): Html {
  const present = parts.filter((part) => part !== null);
  return html`${present.map((part, n) => (n === 0 ? part : [separator, part]))}`;
}

/** A text in which `mark` replaces what the group of a pattern matches. */
export function markMatches(text: string, pattern: RegExp, mark: (match: string) => Html): Html {
  return html`${text.split(pattern).map((part, n) => (n % 2 === 1 ? mark(part) : part))}`;
}

/** The pages that link to each other, in this order. */
const LINKED_PAGES = [
  ['/_sandbox', 'Dashboard'],
  ['/_sandbox/reference', 'Reference'],
  ['/_sandbox/errors', 'Error codes'],
  ['/_sandbox/checkout', 'Checkout'],
] as const;

/** Links from one page to the others. */
export function pageLinks(here: (typeof LINKED_PAGES)[number][1] | null): Html {
  const links = LINKED_PAGES.map(([path, name]) =>
    name === here ? html`<span aria-current="page">${name}</span>` : html`<a href="${path}">${name}</a>`,
  );
  return html`<nav aria-label="Pages"><p>playmoney: ${joinHtml(links, ' · ')}</p></nav>`;
}

/** The style sheet that all pages share. */
const STYLES = ['page.css'];

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1c4fd6"/><path d="M6 13V4h2.5a2.5 2.5 0 0 1 0 5H6" fill="none" stroke="#fff" stroke-width="2"/></svg>';

/** A page that loads style sheets and scripts, in the given order. */
export function livePage(
  title: string,
  scripts: readonly string[],
  content: Html,
  styles: readonly string[] = STYLES,
): Html {
  const head = [
    html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">`,
    ...styles.map((name) => html`<link rel="stylesheet" href="/_sandbox/${name}">`),
    ...scripts.map((name) => html`<script src="/_sandbox/${name}" ${loadingMode(name)}></script>`),
  ];
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${joinHtml(head)}
</head>
<body>
${content}
</body>
</html>
`;
}

/** The dashboard loads a part of itself later. Other pages may be in a frame without an origin, which loads no modules. */
const loadingMode = (name: string): Html => (name === 'dashboard.js' ? html`type="module"` : html`defer`);

const COMMON_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** For pages with scripts: only our own scripts and styles, and calls only to this server. No text can become markup. */
export const LIVE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  `require-trusted-types-for 'script'; ${COMMON_POLICY}`;

/** For the challenge page: other pages may frame it, and it posts a form to the shop. */
export const CHALLENGE_POLICY = LIVE_POLICY.replace("form-action 'none'", 'form-action http: https:').replace(
  "frame-ancestors 'none'",
  'frame-ancestors *',
);

/** Responds with a page and its content security policy. */
export function respondPage(c: Context<Env>, page: Html, policy: string): Promise<Response> {
  const headers = buildAnswerHeaders(c.get('exchange'), HTML_TYPE);
  if (policy === CHALLENGE_POLICY) Object.assign(headers, FRAMED_ANYWHERE);
  return buildPageResponse(c, page, policy, { headers });
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** Like `respondPage`, with the status and headers of another answer. */
export async function buildPageResponse(
  c: Context<Env>,
  page: Html,
  policy: string,
  { status = 200, headers }: { readonly status?: number; readonly headers: Record<string, string> },
): Promise<Response> {
  headers['content-security-policy'] = policy;
  headers['referrer-policy'] = 'no-referrer';
  headers['cache-control'] = 'no-store';
  // Texts of others are escaped, so only our own links begin like this.
  const linked = (await page).replaceAll('"/_sandbox', `"${c.get('edge').settings.basePath}/_sandbox`);
  return new Response(linked, { status, headers });
}

/** A page with Cross-Origin-Embedder-Policy only frames pages with these headers. */
const FRAMED_ANYWHERE = {
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
