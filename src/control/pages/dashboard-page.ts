import { html } from 'hono/html';

import { PLAIN_FAULTS } from '../../scenarios/file/fault.js';
import { OPERATIONS } from '../../scenarios/script/operations.js';
import { ASKS_PROVIDER } from '../../scenarios/script/reach.js';
import { type Html, livePage } from './html.js';

/**
 * The place of the dashboard before its script runs. The script loads all data with the user's key, from the server of the page or from
 * `home`.
 */
export function dashboardRoot(home: string | null = null): Html {
  const operations = OPERATIONS.filter((operation) => ASKS_PROVIDER.includes(operation));
  const faults = [...PLAIN_FAULTS, 'status=503'];
  const where = home === null ? '' : html` data-home="${home}"`;
  return html`<div id="dashboard"${where} data-operations="${operations.join(' ')}" data-faults="${faults.join(' ')}"></div>
<noscript><p>The dashboard needs JavaScript. Allow scripts on this page.</p></noscript>`;
}

/** The address that the program has in a page without a server, and that calls are copied with: where `playmoney open` starts one. */
export const HOME_IN_PAGE = 'http://127.0.0.1:4010';

export function dashboardPage(): Html {
  return livePage('playmoney', ['dashboard.js'], dashboardRoot(), ['dashboard.css']);
}
