/** 1 at the index of each port on which this process serves sandboxes: no webhook may go there. Shared by all threads. */
export const OWN_PORTS = new Uint8Array(new SharedArrayBuffer(65_536));
