import type { Listening, Sandbox, SandboxOptions, ServeOptions } from '../client/public.js';
import { InProcessSandbox } from '../app/in-process/sandbox.js';
import { folderLibrary } from './library.js';
import { NODE_HOST } from './machine/host.js';

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new InProcessSandbox({ host: NODE_HOST, library: folderLibrary() }, options);
}

export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<Listening> {
  const inside = await InProcessSandbox.requireInner(sandbox);
  // Loaded with the first server, because calls in process do not need it.
  const { serveHttp: serveOn } = await import('./http/serve.js');
  const listening = await serveOn(inside, { port: 0, host: '127.0.0.1', ...options });
  return { ...listening, [Symbol.asyncDispose]: () => listening.close() };
}
