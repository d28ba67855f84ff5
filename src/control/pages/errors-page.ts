import { ERROR_ROWS, type ErrorRow } from '../../core/errors.js';
import { escapeHtml, htmlPage, pageLinks } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --line: #d6d9de; --head: #f3f4f6; --soft: #5b6370; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) {
  :root { --line: #363b44; --head: #23272e; --soft: #a3abb8; --mark: #4a3f14; }
}
body { font: 16px/1.5 system-ui, sans-serif; background: Canvas; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--head); position: sticky; top: 0; }
td { overflow-wrap: anywhere; }
@media (max-width: 30rem) { table { font-size: 0.8125rem; } th, td { padding: 0.4rem 0.25rem; } }
tbody th, td.number { font-variant-numeric: tabular-nums; }
tr { scroll-margin-top: 3rem; }
tr:target { background: var(--mark); }
th a, nav a { color: inherit; }
code, p, caption { color: var(--soft); }
caption { text-align: left; padding-bottom: 0.5rem; }
`;

/** The table of error codes. `#54` links to the row of code 54. */
export function errorsPage(): string {
  const content = `${pageLinks('Error codes')}
<main>
<h1>Error codes</h1>
<p>Every error has one of these codes in <code>Code</code>, and its <code>Message</code> begins with the text below.
A decline by a provider always has status 400, whatever its code.</p>
<table>
<caption>${ERROR_ROWS.length} codes. “Retryable” says whether the same request may succeed later.</caption>
<thead>
<tr><th scope="col">Code</th><th scope="col">Message</th><th scope="col">HTTP status</th><th scope="col">Retryable</th></tr>
</thead>
<tbody>
${ERROR_ROWS.map(tableRow).join('\n')}
</tbody>
</table>
</main>`;
  return htmlPage('Error codes', `<style>${STYLE}</style>`, content);
}

function tableRow({ code, name, message, httpStatus, retryable }: ErrorRow): string {
  return (
    `<tr id="${code}"><th scope="row"><a href="#${code}">${code}</a></th>` +
    `<td>${escapeHtml(message)}<br><code>${escapeHtml(name)}</code></td>` +
    `<td class="number">${httpStatus}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`
  );
}
