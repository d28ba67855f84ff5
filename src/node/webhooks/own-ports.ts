/** The ports on which this process serves sandboxes are 1, in memory that all of its threads see: no webhook goes there. */
export const OWN_PORTS = new Uint8Array(new SharedArrayBuffer(65_536));
