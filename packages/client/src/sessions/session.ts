import {
  openableStreams,
  type RemoteCommandConnection,
  type RemoteCommandStreams,
} from '@wherry/remotecommand';
import { pods } from '../generated/kinds.ts';
import { resourcePath } from '../resources/paths.ts';

/** Which transport a session takes: `auto` is WebSocket, then SPDY when the upgrade is refused. */
export type StreamTransport = 'auto' | 'websocket' | 'spdy';

/** Which container of which pod. */
export interface ContainerTarget {
  /** Default: the client's namespace. */
  namespace?: string | undefined;
  pod: string;
  /** Default: the pod's only container; with several the server refuses. */
  container?: string | undefined;
}

/** Options that every session takes. */
export interface SessionOptions extends ContainerTarget {
  /** Allocates a terminal; stderr then comes with stdout. */
  tty?: boolean | undefined;
  /** Default `auto`. A client over `fetch` has WebSocket alone. */
  transport?: StreamTransport | undefined;
  /** Ends the attempt, and later the session. */
  signal?: AbortSignal | undefined;
}

/** Which streams a raw session opens; those that are left out are not. */
export interface OpenSessionOptions extends SessionOptions, Partial<Omit<RemoteCommandStreams, 'tty'>> {}

/** What a session is opened with. */
export interface SessionRequest extends Pick<SessionOptions, 'transport' | 'signal'> {
  /** API path with its query. */
  path: string;
  /** Agree with the query. */
  streams: RemoteCommandStreams;
}

/** Who opens sessions: any client. */
export interface SessionClient {
  readonly namespace: string;
  /** Rejects with `StatusError`, `ClientError` or `signal.reason`. */
  openSession(request: SessionRequest): Promise<RemoteCommandConnection>;
}

/**
 * Starts a command in a container and hands out its streams as channels; `exec` does the same with Node streams.
 * Rejects with `StatusError` when the server refuses.
 */
export function openExec(
  client: SessionClient,
  options: OpenSessionOptions & { command: readonly string[] },
): Promise<RemoteCommandConnection> {
  return open(client, 'exec', options, { command: options.command });
}

/** Joins the running process of a container; see {@link openExec}. */
export function openAttach(
  client: SessionClient,
  options: OpenSessionOptions,
): Promise<RemoteCommandConnection> {
  return open(client, 'attach', options, {});
}

async function open(
  client: SessionClient,
  subresource: 'exec' | 'attach',
  options: OpenSessionOptions,
  query: { command?: readonly string[] },
): Promise<RemoteCommandConnection> {
  const { tty = false, stdin = false, stdout = false, stderr = false } = options;
  const { container, transport, signal } = options;
  const streams = openableStreams({ stdin, stdout, stderr, tty });
  const path = resourcePath(pods, {
    namespace: options.namespace ?? client.namespace,
    name: options.pod,
    subresource,
    query: { ...query, container, ...onlyTrue(streams) },
  });
  return client.openSession({ path, streams, transport, signal });
}

/** kubectl sends a stream's parameter only when it is wanted. */
function onlyTrue(streams: RemoteCommandStreams): Record<string, boolean> {
  return Object.fromEntries(Object.entries(streams).filter(([, wanted]) => wanted));
}
