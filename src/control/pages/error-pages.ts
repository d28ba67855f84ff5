import { html } from 'hono/html';
import type { Context } from 'hono';

import { ERROR_ROWS, type ErrorRow } from '../../core/errors.js';
import {
  type Html,
  joinHtml,
  livePage,
  pageLinks,
  HTML_TYPE,
  LIVE_POLICY,
  buildPageResponse,
} from './html.js';
import { type Env, headerOf } from '../../http/exchange.js';
import type { ErrorBody } from '../../http/answers/dialect.js';

/** The table of error codes. `#54` links to the row of code 54. */
export function errorsPage(): Html {
  const content = html`${pageLinks('Error codes')}
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
${joinHtml(ERROR_ROWS.map(errorTableRow))}
</tbody>
</table>
</main>`;
  return livePage('Error codes', ['errors.js'], content);
}

function errorTableRow({ code, name, message, httpStatus, retryable }: ErrorRow): Html {
  const cells = [
    html`<th scope="row" class="num"><a href="#${code}">${code}</a></th>`,
    html`<td data-name="Message">${message}<br><code class="soft">${name}</code></td>`,
    html`<td class="num" data-name="HTTP status">${httpStatus}</td><td data-name="Retryable">${retryable ? 'yes' : 'no'}</td>`,
  ];
  return html`<tr id="${code}">${cells}</tr>`;
}

/** Whether a person's browser asks for a page of the sandbox. */
export function isForPerson(c: Context<Env>): boolean {
  return (
    c.req.method === 'GET' &&
    c.req.path.startsWith('/_sandbox') &&
    headerOf(c, 'accept')?.includes('text/html') === true
  );
}

/** Shows a refusal as a page, which says what is wrong and leads to the dashboard. Any other answer stays as it is. */
export async function presentErrorPage(c: Context<Env>, answer: Response): Promise<Response> {
  if (answer.status < 400) return answer;
  const { Code, Message } = (await answer.json()) as ErrorBody;
  const content = html`${pageLinks(null)}
<main>
<h1>This page cannot be shown</h1>
<p>${Message}</p>
<p>Status ${answer.status}, <a href="/_sandbox/errors#${Code}">code ${Code}</a>. The <a href="/_sandbox">dashboard</a> shows what the sandbox has.</p>
</main>`;
  const headers = { ...Object.fromEntries(answer.headers), 'content-type': HTML_TYPE };
  const page = livePage('This page cannot be shown', [], content);
  return buildPageResponse(c, page, LIVE_POLICY, { status: answer.status, headers });
}
