import {
  ask,
  charge,
  charging,
  CUSTOMER,
  del,
  ENTRY,
  get,
  post,
  put,
  refused,
  type Row,
  type Rows,
  row,
  taken,
} from './row.js';

const CROSS_SITE = 'Sec-Fetch-Site: cross-site';
const NAVIGATE = 'Sec-Fetch-Mode: navigate';
const IMAGE = 'Sec-Fetch-Mode: no-cors';
const barred = refused(403, 90, 'A page of another site may not make this call');
const PROTECTED = ['x-content-type-options: nosniff', 'cross-origin-resource-policy: same-origin'];
const FOR_SHOPS = ['x-content-type-options: nosniff', 'cross-origin-resource-policy: cross-origin'];

const refusedFor = (sends: string): Row => row(sends, barred);

/** Calls that pages of other sites make without an Origin; and what browsers must not do with answers. */
export const CROSS_SITES: Rows = {
  'a charge by a form of another site': refusedFor(charging({}, CROSS_SITE, NAVIGATE)),
  'a charge by a script of another site': refusedFor(charging({}, CROSS_SITE, IMAGE)),
  'a customer that another site changes': refusedFor(put(`/customer/${CUSTOMER}`, {}, CROSS_SITE)),
  'an entry that another site deletes': refusedFor(del(`/vault/${ENTRY}`, CROSS_SITE)),
  'a reset by a form of another site': refusedFor(post('/_sandbox/reset', {}, CROSS_SITE, NAVIGATE)),
  'an image that is the journal': refusedFor(get('/_sandbox/journal', CROSS_SITE, IMAGE)),
  'an image that is a bundle': refusedFor(get('/_sandbox/bundle', CROSS_SITE, IMAGE)),
  'a frame that is the journal': refusedFor(get('/_sandbox/journal', CROSS_SITE, NAVIGATE)),
  'a script of the dashboard in another site': refusedFor(get('/_sandbox/dashboard.js', CROSS_SITE, IMAGE)),
  'the live feed in another site': refusedFor(get('/_sandbox/live', CROSS_SITE, IMAGE)),
  'a HEAD of the world by another site': row(ask('HEAD', '/_sandbox/world', CROSS_SITE), {
    status: 403,
    says: PROTECTED,
  }),
  'an unknown path of the sandbox': refusedFor(get('/_sandbox/nothing', CROSS_SITE, NAVIGATE)),
  'a bad key: the gate is first': refusedFor(charging({}, CROSS_SITE, 'x-secretkey: nothing')),
  'another site in other letters, as no browser writes it': row(
    get('/_sandbox/world', 'Sec-Fetch-Site: CROSS-SITE'),
    taken(),
  ),
  'another site with an Origin, which decides': row(
    get('/_sandbox/world', CROSS_SITE, 'Origin: http://localhost:3000'),
    taken('access-control-allow-origin: http://localhost:3000', ...PROTECTED),
  ),
  'a link to the dashboard': row(get('/_sandbox', CROSS_SITE, NAVIGATE), taken('<!doctype html>')),
  'a link to the error codes': row(get('/_sandbox/errors', CROSS_SITE, NAVIGATE), taken(...PROTECTED)),
  'a link to a challenge that does not exist': row(
    get('/_sandbox/3ds/0/0', 'x-secretkey', CROSS_SITE, NAVIGATE),
    { status: 404, says: ['This address belongs to no world', ...PROTECTED] },
  ),
  'a script tag with the card form': row(get('/_sandbox/sdk.js', CROSS_SITE, IMAGE), taken(...FOR_SHOPS)),
  'a script tag with the page script': row(
    get('/v2.0.0/js/payfurl.js', CROSS_SITE, IMAGE),
    taken(...FOR_SHOPS),
  ),
  'an image that is a list of charges: its page cannot read it': row(
    get('/charge', CROSS_SITE, IMAGE),
    taken(...PROTECTED),
  ),
  'a page of the same site': row(post('/charge/card', charge(), 'Sec-Fetch-Site: same-site'), taken()),
  'an address that was typed': row(get('/_sandbox/world', 'Sec-Fetch-Site: none'), taken()),
};
