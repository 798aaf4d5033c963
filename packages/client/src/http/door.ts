/** One request; `path` is absolute on the server and carries the query. */
export interface HttpRequest {
  method: string;
  path: string;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

/** The head of an answer, and its body, unread. */
export interface HttpAnswer {
  status: number;
  /** The field of that name, in lower case. */
  header(name: string): string | undefined;
  /** Unpacked, to be read once; leaving the loop early ends the exchange. Throws what tore it. */
  body: AsyncIterable<Uint8Array>;
  /** Lets go of a body that nobody will read. Repeats are harmless. */
  cancel(): void;
}

/**
 * Where requests leave and answers come in, credentials included: Node's connections (`KubeClient`), or a `fetch`
 * (`openFetchDoor`).
 */
export interface HttpDoor {
  /** Names the server in messages: `127.0.0.1:6443`. */
  readonly serverName: string;
  /** Rejects with `ClientError` `unreachable` when no answer came, or `signal.reason`. Answers of any status resolve. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes idle connections; answers that are being read live on. */
  close(): void;
}
