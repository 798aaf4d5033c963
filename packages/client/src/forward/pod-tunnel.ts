import type { ByteChannel } from '@wherry/bytes';
import { backoff, sleep } from '@wherry/clock';
import { connectPortForward, type PortForwardConnection } from '@wherry/portforward';
import { ClientError } from '../errors.ts';
import { pods } from '../generated/kinds.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { limits } from '../limits.ts';
import { resourcePath } from '../resources/paths.ts';
import type { StreamTransport } from '../sessions/session.ts';
import { watchPod } from './pod-watch.ts';
import { podPortOf } from './ports.ts';
import { type ForwardTarget, type ResolvedTarget, resolveTarget } from './target.ts';

/** Options of a {@link PodTunnel}. */
export interface PodTunnelOptions {
  client: KubeClient;
  target: ForwardTarget;
  transport?: StreamTransport | undefined;
  /** Called when the pod behind the tunnel was lost and another connection stands. */
  onReconnect?: ((podName: string) => void) | undefined;
}

interface Session {
  resolved: ResolvedTarget;
  connection: PortForwardConnection;
  /** The connection is lost, or its pod ends: new connections need another session. */
  isGone: boolean;
}

/** One port-forward session to whichever pod stands behind a target, made anew when it is lost. */
export class PodTunnel {
  readonly #options: PodTunnelOptions;
  readonly #abort = new AbortController();
  #session: Promise<Session> | undefined;

  constructor(options: PodTunnelOptions) {
    this.#options = options;
  }

  /** Makes the session now, so that a wrong target is told at once. Throws as {@link resolveTarget} does. */
  async open(): Promise<ResolvedTarget> {
    this.#session ??= this.#connect();
    return (await this.#session).resolved;
  }

  /**
   * A new connection to the wanted port. A lost session is made anew for up to `limits.forwardReconnectMs`; a port
   * that the pod refuses fails alone.
   */
  async dial(remote: number | string): Promise<ByteChannel> {
    const session = await this.#liveSession();
    const port = podPortOf(remote, session.resolved);
    try {
      return await session.connection.dial(port, { signal: this.#abort.signal });
    } catch (error) {
      if (!session.isGone) throw error;
      const next = await this.#liveSession();
      return next.connection.dial(podPortOf(remote, next.resolved), { signal: this.#abort.signal });
    }
  }

  close(): void {
    this.#abort.abort(new ClientError('unreachable', 'the forward was closed'));
    this.#session?.then(({ connection }) => connection.close()).catch(() => {});
  }

  async #liveSession(): Promise<Session> {
    const current = this.#session;
    const session = await current?.catch(() => undefined);
    if (session && !session.isGone) return session;
    // Of several connections that find the session gone, the first makes the new one for all.
    if (this.#session === current) this.#session = this.#reconnect();
    return this.#session as Promise<Session>;
  }

  async #reconnect(): Promise<Session> {
    const { client, onReconnect } = this.#options;
    const { signal } = this.#abort;
    const delays = backoff(limits.forwardRetryMs);
    const deadline = client.clock.monotonicMs() + limits.forwardReconnectMs;
    for (;;) {
      try {
        const session = await this.#connect();
        onReconnect?.(session.resolved.pod.metadata.name ?? '');
        return session;
      } catch (error) {
        if (signal.aborted || client.clock.monotonicMs() > deadline) throw error;
        await sleep({ clock: client.clock, delayMs: delays.nextDelayMs(), signal, keepsAlive: true });
      }
    }
  }

  async #connect(): Promise<Session> {
    const { client, target, transport } = this.#options;
    const { signal } = this.#abort;
    const resolved = await resolveTarget(client, target, signal);
    const { name = '', namespace } = resolved.pod.metadata;
    const phase = resolved.pod.status?.phase ?? 'Unknown';
    if (phase !== 'Running') {
      throw new ClientError(
        'bad-argument',
        `unable to forward port because pod is not running. Current status=${phase}`,
      );
    }
    const path = resourcePath(pods, { namespace, name, subresource: 'portforward' });
    const connection = await client.upgrade({ path, signal }, (upgrade) =>
      connectPortForward({ ...upgrade, transport }),
    );
    const session: Session = { resolved, connection, isGone: false };
    const watch = watchPod(client, resolved.pod, (change) => {
      session.isGone = true;
      if (change === 'gone') connection.close();
    });
    void connection.closed.then(() => {
      session.isGone = true;
      void watch.close();
    });
    return session;
  }
}
