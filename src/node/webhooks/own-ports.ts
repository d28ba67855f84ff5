const PORTS = 65_536;

/** Ports of this process, in memory that all of its threads see. */
export class OwnPorts {
  readonly #flags: Uint8Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(PORTS)) {
    this.#flags = new Uint8Array(memory);
  }

  add(port: number): void {
    Atomics.store(this.#flags, port, 1);
  }

  delete(port: number): void {
    Atomics.store(this.#flags, port, 0);
  }

  has(port: number): boolean {
    return Atomics.load(this.#flags, port) === 1;
  }
}

/** The ports on which this process serves sandboxes: no webhook goes there. */
export const OWN_PORTS = new OwnPorts();
