import type { Context } from 'hono';
import { html } from 'hono/html';

import { type Env, headerOf } from '../../http/exchange.js';
import type { ErrorBody } from '../../http/answers/dialect.js';
import { HTML_TYPE, LIVE_POLICY, livePage, pageLinks, buildPageResponse } from './html.js';

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
