/** The ports on which this process serves sandboxes: no webhook goes there. */
export const OWN_PORTS = new Set<number>();
