/** Sentences for what can go wrong between a delivery and its receiver. The texts of the system differ from run to run, and between versions. */

const CLOSED = 'the receiver closed the connection without an answer';
const UNREACHABLE = 'its address cannot be reached from here';

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at its address and port'],
  ['ConnectionRefused', 'nothing listens at its address and port'],
  ['ECONNRESET', CLOSED],
  ['ECONNABORTED', CLOSED],
  ['EPIPE', CLOSED],
  ['ECONNCLOSED', CLOSED],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['EADDRNOTAVAIL', UNREACHABLE],
  ['EHOSTDOWN', UNREACHABLE],
  ['ENETDOWN', UNREACHABLE],
  ['ETIMEDOUT', 'its address does not answer'],
  ['ENOTFOUND', 'its name is unknown'],
  ['EAI_AGAIN', 'its name cannot be resolved at present; is the network or a VPN off?'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
]);

/** OpenSSL's words for an answer that is not TLS. */
const NO_TLS = /wrong version number|packet length too long|http request|unknown protocol|record overflow/i;

/** Of the codes of Node for a certificate that is refused, those without a sentence of their own. */
const UNTRUSTED =
  /^[A-Z_]*(?:CERT|CRL|ISSUER|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME)[A-Z_]*$/;

interface SystemError extends Error {
  readonly code?: string;
  readonly errors?: readonly SystemError[];
}

/** Why there was no response. */
export function describeFailure({ message, name, code: given, errors }: SystemError): string {
  // If several addresses were tried, the error itself may have no code.
  const code = given ?? errors?.[0]?.code ?? '';
  const sentence = SENTENCES.get(code);
  if (sentence !== undefined) return `${sentence} (${code})`;
  if (code.startsWith('HPE_')) return 'the answer of the receiver is not HTTP';
  if (code.startsWith('EAI_')) return `its name cannot be resolved (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return describeTlsFailure(message, code);
  if (UNTRUSTED.test(code)) return `its certificate is not trusted (${code})`;
  // The text of any other system error may contain numbers that differ from run to run, such as a port.
  return /^E[A-Z]+$/.test(code) ? `the connection failed (${code})` : message || code || name;
}

/** For example `write EPROTO 808C456E557F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:…`. */
function describeTlsFailure(message: string, code: string): string {
  if (NO_TLS.test(message) || NO_TLS.test(code.replaceAll('_', ' ')))
    return 'the receiver speaks no TLS; is it http?';
  const [, reason = code] = /SSL routines:[^:]*:([a-z][\w ]*)/.exec(message) ?? [];
  return `TLS cannot be agreed with the receiver: ${reason}`;
}
