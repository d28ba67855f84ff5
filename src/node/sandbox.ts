import type { Listening, RequestListener, Sandbox, SandboxOptions, ServeOptions } from '../client/public.js';
import { SandboxInside } from '../inside/sandbox.js';
import { folderLibrary } from './library.js';
import { NODE_HOST } from './machine/host.js';

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new SandboxInside({ host: NODE_HOST, library: folderLibrary() }, options);
}

export function requestListener(sandbox: Sandbox): RequestListener {
  const load = async (): Promise<RequestListener> => {
    const inside = await SandboxInside.insideOf(sandbox);
    const { listenInApp } = await import('./http/request-listener.js');
    return listenInApp(inside) as RequestListener;
  };
  let loading: Promise<RequestListener> | undefined;
  return async (request, response, more) => {
    try {
      // What parsers leave is on the own request of Koa and Fastify.
      const { rawBody, body } = Object(more) as { readonly rawBody?: unknown; readonly body?: unknown };
      if (rawBody !== undefined) Object.assign(request, { rawBody });
      if (body !== undefined) Object.assign(request, { body });
      await (await (loading ??= load()))(request, response);
    } catch (error) {
      if (typeof more !== 'function') throw error;
      more(error);
    }
  };
}

export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<Listening> {
  const inside = await SandboxInside.insideOf(sandbox);
  // Loaded with the first server, because calls in process do not need it.
  const { serve: serveOn } = await import('./http/serve.js');
  const listening = await serveOn(inside, { port: 0, host: '127.0.0.1', ...options });
  return { ...listening, [Symbol.asyncDispose]: () => listening.close() };
}
