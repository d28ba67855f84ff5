import { deriveWorldName } from '../../src/core/keys.js';
import {
  ADMIN,
  ask,
  bad,
  get,
  GUARDED,
  KEY,
  PAN,
  post,
  refused,
  type Row,
  type Rows,
  row,
  taken,
} from './row.js';

const nameOf = (key: string): string => `x-sandbox-world: ${deriveWorldName(key)}`;
const OWN = nameOf(KEY);
const TOKEN = `x-sandbox-admin: ${ADMIN}`;
const BROWSER = 'Accept: text/html';
/** Takes the key away. */
const NO_KEY = 'x-secretkey';

const unauthorised = (...says: string[]) => refused(401, 40, ...says);
const unnamed = (sends: string, says: string): Row => row(sends, unauthorised(says), GUARDED);
const searched = (text: string, count: number): Row =>
  row(get(`/_sandbox/journal?Search=${text}`), taken(`"Count":${count},`));
const unsearched = (query: string, says: string): Row => row(get(`/_sandbox/journal?${query}`), bad(says));

/** Calls that name a world instead of its key, that search a journal or list the rows of a batch; and browsers at `/`. */
export const LOOKING: Rows = {
  'a world by its name, where anybody may reach the server': row(
    get('/_sandbox/journal', NO_KEY, OWN),
    unauthorised('opens a world only by its key'),
  ),
  'a world by its name, for a call of the service': row(
    get('/charge', NO_KEY, OWN),
    unauthorised('is missing'),
  ),
  'a world by its name, without the admin token': row(
    get('/_sandbox/journal', NO_KEY, OWN),
    refused(403, 40, 'admin token'),
    GUARDED,
  ),
  'a world by its name, with the admin token': row(
    get('/_sandbox/world', NO_KEY, OWN, TOKEN),
    taken(OWN),
    GUARDED,
  ),
  'the state by the name of its world': unnamed(
    get('/_sandbox/state', NO_KEY, OWN, TOKEN),
    'requires the key of the world',
  ),
  'a bundle by the name of its world': unnamed(
    get('/_sandbox/bundle', NO_KEY, OWN, TOKEN),
    'requires the key of the world',
  ),
  'a name in other letters': unnamed(
    get('/_sandbox/world', NO_KEY, OWN.toUpperCase(), TOKEN),
    'No world of this server has that name',
  ),
  'two names': unnamed(
    get('/_sandbox/world', NO_KEY, `${OWN}, ${OWN.slice(17)}`, TOKEN),
    'No world of this server',
  ),
  'a name of an object': unnamed(
    post('/_sandbox/reset', {}, NO_KEY, 'x-sandbox-world: __proto__', TOKEN),
    'No world of this server',
  ),
  'a search for a card number': searched(PAN, 0),
  'a search for a pattern that would be slow': searched(`${'a*'.repeat(400)}b`, 0),
  'a search for a replacement of a pattern': searched('$%26.*(', 0),
  'a search for half a character': unsearched('Search=%ff', 'UTF-8'),
  'a search for a NUL': unsearched('Search=%00', 'NUL'),
  'a search for a long text': unsearched(`Search=${'a'.repeat(1025)}`, 'Search'),
  'a search in other letters': unsearched('search2=a', 'search2'),
  'rows of an unknown batch': row(get('/_sandbox/records/batches/__proto__/rows'), refused(404, 101)),
  'rows with an unknown status': row(
    get('/_sandbox/records/batches/x/rows?Status=LOST'),
    bad('must be one of RECEIVED'),
  ),
  'more rows than a page has': row(get('/_sandbox/records/batches/x/rows?Limit=501'), bad('from 1 to 500')),
  'rows that are changed': row(post('/_sandbox/records/batches/x/rows', {}), refused(405, 90)),
  'a browser at the address of the server': row(get('/', NO_KEY, BROWSER), {
    status: 302,
    says: ['location: /_sandbox'],
  }),
  'a browser at a Host of somebody else': row(
    get('/', NO_KEY, BROWSER, 'Host: evil.example.com'),
    refused(403, 90),
  ),
  'a browser that sends a form there': row(post('/', {}, NO_KEY, BROWSER), unauthorised('is missing')),
  'a program with a key there': row(get('/', BROWSER), refused(404, 90)),
  'a PATCH there': row(ask('PATCH', '/', NO_KEY, BROWSER), unauthorised('is missing')),
};
