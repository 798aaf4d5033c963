import { onAbort } from '@wherry/bytes';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import type { StreamTransport } from '../sessions/session.ts';
import { type ListenAddress, listenAddresses } from './listen-addresses.ts';
import { type ForwardListener, type ListenerEvents, type OpenListener, openListener } from './listener.ts';
import { PodTunnel } from './pod-tunnel.ts';
import { checkPorts, type ForwardPort, numberOf, podPortOf } from './ports.ts';
import type { ForwardTarget } from './target.ts';

/** What to forward, and where to listen. */
export interface PortForwardOptions extends ListenerEvents {
  target: ForwardTarget;
  ports: readonly ForwardPort[];
  /**
   * IP addresses, or `localhost` for 127.0.0.1 and ::1 of which one must do; every other must bind. Default
   * `localhost`.
   */
  addresses?: readonly string[] | undefined;
  /** A port could not be listened on, and others are. */
  notListening?: ((port: ForwardPort, error: Error) => void) | undefined;
  transport?: StreamTransport | undefined;
  /** The pod was lost and another connection stands. */
  onReconnect?: ((podName: string) => void) | undefined;
  /** Ends the forward. */
  signal?: AbortSignal | undefined;
}

/** A running forward. */
export interface PortForward extends AsyncDisposable {
  readonly listeners: readonly ForwardListener[];
  /** Stops listening and ends every connection. Repeats are harmless. */
  close(): Promise<void>;
}

/**
 * Listens locally and forwards to a pod, behind a fixed set of listeners: when the pod is replaced, new connections
 * go to its successor. Rejects when the target can't be reached now or no port could be listened on.
 */
export async function portForward(client: KubeClient, options: PortForwardOptions): Promise<PortForward> {
  const { target, transport, onReconnect, signal } = options;
  checkPorts(options.ports);
  const addresses = listenAddresses(options.addresses ?? ['localhost']);
  signal?.throwIfAborted();
  const tunnel = new PodTunnel({ client, target, transport, onReconnect });
  const opened: OpenListener[] = [];
  const close = async () => {
    leave();
    tunnel.close();
    await Promise.all(opened.splice(0).map((listener) => listener.close()));
  };
  const leave = onAbort(signal, () => void close());
  try {
    const resolved = await tunnel.open();
    const ports = options.ports.map(({ local, remote }) => ({
      ...{ local: local ?? numberOf(remote, resolved), remote },
      remotePort: podPortOf(remote, resolved),
    }));
    opened.push(...(await listenAll({ ...options, addresses, ports }, tunnel)));
    signal?.throwIfAborted();
  } catch (error) {
    await close();
    throw error;
  }
  return { listeners: [...opened], close, [Symbol.asyncDispose]: close };
}

interface ResolvedPort extends ForwardPort {
  local: number;
  remotePort: number;
}

type ListenOptions = Omit<PortForwardOptions, 'ports' | 'addresses'> & {
  ports: readonly ResolvedPort[];
  addresses: readonly ListenAddress[];
};

async function listenAll(options: ListenOptions, tunnel: PodTunnel): Promise<OpenListener[]> {
  const opened: OpenListener[] = [];
  const failures: { port: ForwardPort; error: Error }[] = [];
  for (const port of options.ports) {
    try {
      opened.push(...(await listenOn(port, options, tunnel)));
    } catch (error) {
      failures.push({ port, error: error as Error });
    }
  }
  if (opened.length === 0) {
    const why = failures.map(({ error }) => error.message).join('; ');
    throw new ClientError('bad-argument', `unable to listen on any of the requested ports: ${why}`);
  }
  for (const { port, error } of failures) options.notListening?.(port, error);
  return opened;
}

/** A free port found for the first address is used for the others. */
async function listenOn(
  { local, remote, remotePort }: ResolvedPort,
  { addresses, ...events }: ListenOptions,
  tunnel: PodTunnel,
): Promise<OpenListener[]> {
  const opened: OpenListener[] = [];
  const failures: string[] = [];
  let localPort = local;
  for (const { address, isOptional } of addresses) {
    try {
      const listener = await openListener({ address, localPort, remotePort, remote }, tunnel, events);
      localPort = listener.localPort;
      opened.push(listener);
    } catch (error) {
      failures.push((error as Error).message);
      if (!isOptional) await closeAndThrow(opened, local, failures);
    }
  }
  const optional = addresses.filter(({ isOptional }) => isOptional).map(({ address }) => address);
  const isAnyOpen = optional.length === 0 || opened.some(({ address }) => optional.includes(address));
  if (!isAnyOpen) await closeAndThrow(opened, local, failures);
  return opened;
}

async function closeAndThrow(opened: OpenListener[], port: number, failures: string[]): Promise<never> {
  await Promise.all(opened.map((listener) => listener.close()));
  throw new ClientError('bad-argument', `Unable to listen on port ${port}: ${failures.join(', ')}`);
}
