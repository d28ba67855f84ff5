/** A map of our own ports, to which no webhook may go: 1 at the index of each. Shared by all threads. */
export const OWN_PORTS = new Uint8Array(new SharedArrayBuffer(65_536));
