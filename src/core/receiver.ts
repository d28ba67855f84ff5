/** Which addresses can be receivers of webhooks. */

const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.test', '.svc.cluster.local'];

/** Refuses what a URL parser would correct: missing or extra slashes, spaces. */
const WHOLE_ADDRESS = /^https?:\/\/[^\s/\\]\S*$/i;

/** Whether nobody else can own a name that is not an address: a single label, or a name reserved for local use. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

/** Whether the host of a URL is loopback or private. Anybody can own the name 10.0.0.1.example.com. */
function isPrivateName(host: string): boolean {
  if (host.startsWith('[')) return /^\[(?:::1|f[cd][0-9a-f]{2}:.*)\]$/i.test(host);
  if (/^\d+(?:\.\d+){3}$/.test(host)) {
    return /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^0\.0\.0\.0$/.test(host);
  }
  return isLocalName(host);
}

/** Whether a host is an IP address. The URL parser normalises them to four numbers, or brackets. */
function isAddress(host: string): boolean {
  return /^(?:\[|\d+(?:\.\d+){3}$)/.test(host);
}

export const RECEIVER =
  'an absolute https URL with a host name; only loopback and private hosts may use http or an IP address';

export function isReceiver(value: string): boolean {
  if (!WHOLE_ADDRESS.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return isPrivateName(hostname) || (protocol === 'https:' && !isAddress(hostname));
}
