import { ClientError } from '../errors.ts';
import type { HttpAnswer, HttpDoor, HttpRequest } from './door.ts';

/** What a {@link FetchDoor} is made of. */
export interface FetchDoorOptions {
  /** http or https; a path in it goes in front of every API path. */
  server: URL;
  /** Sent with each request, e.g. `authorization`. */
  headers: () => Promise<Record<string, string>> | Record<string, string>;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Requests by `fetch`, wherever there is one. Trust, client certificates and proxies are its own affair. */
export class FetchDoor implements HttpDoor {
  readonly #options: FetchDoorOptions;

  constructor(options: FetchDoorOptions) {
    this.#options = options;
  }

  get serverName(): string {
    return this.#options.server.host;
  }

  async send({ method, path, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
    const { server, fetch = globalThis.fetch } = this.#options;
    signal?.throwIfAborted();
    const own = await this.#options.headers();
    try {
      const response = await fetch(new URL(server.pathname.replace(/\/$/, '') + path, server), {
        method,
        headers: { ...own, ...headers },
        redirect: 'manual',
        // A body is bytes of one's own: never shared memory.
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
        ...(signal ? { signal } : {}),
      });
      return answerOf(response);
    } catch (error) {
      signal?.throwIfAborted();
      const { message, cause } = error as Error;
      throw new ClientError('unreachable', `Unable to connect to the server ${this.serverName}: ${message}`, {
        cause: cause ?? error,
      });
    }
  }

  /** Connections are fetch's own. */
  close(): void {}
}

function answerOf(response: Response): HttpAnswer {
  const cancel = () => void response.body?.cancel().catch(() => {});
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: response.body ? chunksOf(response.body) : noChunks(),
    cancel,
  };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

/** Not every browser can iterate a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
