import {
  connectRemoteCommand,
  openableStreams,
  type RemoteCommandConnection,
  type RemoteCommandStreams,
  type TerminalSize,
} from '@wherry/remotecommand';
import type { StreamTransport } from '../http/upgrade.ts';
import { pods } from '../resources/kinds.ts';
import type { KubeClient } from '../resources/kube-client.ts';
import { resourcePath } from '../resources/paths.ts';

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
  /** Default `auto`. */
  transport?: StreamTransport | undefined;
  /** Ends the attempt, and later the session. */
  signal?: AbortSignal | undefined;
}

/** Which streams a raw session opens. */
export interface OpenSessionOptions extends SessionOptions, Omit<RemoteCommandStreams, 'tty'> {}

export type { RemoteCommandConnection, TerminalSize };

/**
 * Starts a command in a container and hands out its streams as channels; {@link exec} does the same with Node
 * streams. Rejects with `StatusError` when the server refuses.
 */
export function openExec(
  client: KubeClient,
  options: OpenSessionOptions & { command: readonly string[] },
): Promise<RemoteCommandConnection> {
  return open(client, 'exec', options, { command: options.command });
}

/** Joins the running process of a container; see {@link openExec}. */
export function openAttach(
  client: KubeClient,
  options: OpenSessionOptions,
): Promise<RemoteCommandConnection> {
  return open(client, 'attach', options, {});
}

async function open(
  client: KubeClient,
  subresource: 'exec' | 'attach',
  options: OpenSessionOptions,
  query: { command?: readonly string[] },
): Promise<RemoteCommandConnection> {
  const { tty = false, stdin, stdout, stderr, container } = options;
  const streams = openableStreams({ stdin, stdout, stderr, tty });
  const path = resourcePath(pods, {
    namespace: options.namespace ?? client.access.namespace,
    name: options.pod,
    subresource,
    query: { ...query, container, ...onlyTrue(streams) },
  });
  const { transport, signal } = options;
  return client.upgrade({ path, signal }, (target) =>
    connectRemoteCommand({ ...target, streams, transport, clock: client.clock }),
  );
}

/** kubectl sends a stream's parameter only when it is wanted. */
function onlyTrue(streams: RemoteCommandStreams): Record<string, boolean> {
  return Object.fromEntries(Object.entries(streams).filter(([, wanted]) => wanted));
}
