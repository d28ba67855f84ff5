import { Agent, request, type IncomingMessage } from 'node:http';

/** An answer; status 0: the connection ended without one, or in its midst. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const SOCKETS_MAX = 1_000;

/** Calls the program over connections that it keeps open. */
export class Client {
  #agent = this.#open();

  constructor(private readonly port: number) {}

  #open(): Agent {
    return new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  }

  /** Closes its connections; nothing may be under way. */
  hangUp(): void {
    this.#agent.destroy();
    this.#agent = this.#open();
  }

  /** Makes a call on a connection of its own, and gives its answer as it comes. */
  follow({ method, path, headers, body }: Call): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const options = { port: this.port, host: '127.0.0.1', agent: false, method, path, headers };
      const sent = request(options, (response) => resolve(new Stream(response)));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }

  call({ method, path, headers, body }: Call): Promise<Answer> {
    return new Promise((resolve) => {
      const lost = (error: NodeJS.ErrnoException): void =>
        resolve({ status: 0, headers: {}, text: error.code ?? error.message });
      const sent = request(
        { port: this.port, host: '127.0.0.1', agent: this.#agent, method, path, headers },
        (response) => void read(response).then(resolve, lost),
      );
      sent.on('error', lost);
      sent.end(body ?? undefined);
    });
  }
}

/** An answer that takes its time. */
export class Stream {
  #came = '';
  #look: () => void = () => {};

  constructor(private readonly response: IncomingMessage) {
    response.on('data', (bytes: Buffer) => {
      this.#came += bytes.toString();
      this.#look();
    });
    // It ends when we leave.
    response.on('error', () => {});
  }

  /** Whether a text came in time. */
  until(text: string, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.#came.includes(text)), ms);
      this.#look = () => {
        if (!this.#came.includes(text)) return;
        clearTimeout(timer);
        resolve(true);
      };
      this.#look();
    });
  }

  leave(): void {
    this.response.destroy();
  }
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  };
}
