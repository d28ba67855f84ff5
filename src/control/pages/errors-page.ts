import { ERROR_ROWS, type ErrorRow } from '../../core/errors.js';
import { escapeHtml, livePage, pageLinks } from './html.js';

/** The table of error codes. `#54` links to the row of code 54. */
export function errorsPage(): string {
  const content = `${pageLinks('Error codes')}
<main>
<h1>Error codes</h1>
<form class="setting" id="search" role="search">
<label for="words">Search ${ERROR_ROWS.length} codes</label>
<input id="words" type="search" autocomplete="off" placeholder="54, declined, 409 …">
<p class="soft" id="found" role="status"></p>
</form>
<p>Every error has one of these codes in <code>Code</code>, and its <code>Message</code> begins with the text below.
A decline by a provider always has status 400, whatever its code.</p>
<table>
<caption>“Retryable” says whether the same request may succeed later.</caption>
<thead>
<tr><th scope="col">Code</th><th scope="col">Message</th><th scope="col">HTTP status</th><th scope="col">Retryable</th></tr>
</thead>
<tbody>
${ERROR_ROWS.map(errorTableRow).join('\n')}
</tbody>
</table>
</main>`;
  return livePage('Error codes', ['errors.js'], content);
}

function errorTableRow({ code, name, message, httpStatus, retryable }: ErrorRow): string {
  return (
    `<tr id="${code}"><th scope="row" class="num"><a href="#${code}">${code}</a></th>` +
    `<td data-name="Message">${escapeHtml(message)}<br><code class="soft">${escapeHtml(name)}</code></td>` +
    `<td class="num" data-name="HTTP status">${httpStatus}</td><td data-name="Retryable">${retryable ? 'yes' : 'no'}</td></tr>`
  );
}
