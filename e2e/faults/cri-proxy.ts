import {
  createCriClient,
  createCriServer,
  type ImageServiceHandlers,
  type RuntimeServiceHandlers,
} from '@wherry/cri';

type AnyCall = (request: object, options: { signal: AbortSignal }) => unknown;

/** Passes every method of a CRI client on, as handlers of a CRI server. */
function passOn<Handlers extends object>(stub: object, changed: Partial<Handlers>): Handlers {
  const entries = Object.entries(stub as Record<string, AnyCall>).map(([name, call]) => [
    name,
    (request: object, { signal }: { signal: AbortSignal }) => call(request, { signal }),
  ]);
  return { ...Object.fromEntries(entries), ...changed };
}

/**
 * A CRI server on `socketPath` that passes everything on to the runtime at `runtimePath`, but sends each streaming
 * session to the port that `streamingPort` gives for the port that the runtime named.
 */
export async function startCriProxy(options: {
  socketPath: string;
  runtimePath: string;
  streamingPort: (runtimePort: number) => number;
}) {
  const client = createCriClient(options.runtimePath);
  const redirect = async (answer: Promise<{ url: string }>) => {
    const url = new URL((await answer).url);
    url.port = String(options.streamingPort(Number(url.port)));
    return { url: url.href };
  };
  const server = createCriServer({
    runtime: passOn<RuntimeServiceHandlers>(client.runtime, {
      exec: (request) => redirect(client.runtime.exec(request)),
      attach: (request) => redirect(client.runtime.attach(request)),
      portForward: (request) => redirect(client.runtime.portForward(request)),
    }),
    images: passOn<ImageServiceHandlers>(client.images, {}),
  });
  await server.listen(options.socketPath);
  return {
    async close() {
      await server.close(0);
      client.close();
    },
  };
}
