import { ContainerState, type CriClient, PodSandboxState } from '@wherry/cri';
import { tunnelPortForward, wantsTunnel } from '@wherry/portforward';
import {
  openableStreams,
  type RemoteCommandStreams,
  translateRemoteCommand,
  wantsTranslation,
} from '@wherry/remotecommand';
import {
  auditIdHeader,
  type Counter,
  type LiveSession,
  type Logger,
  type SessionBook,
  type SessionFacts,
} from '@wherry/telemetry';
import { proxyUpgrade, type UpgradeExchange } from '@wherry/upgrade';
import type { PodStore } from '../board/pod-store.ts';
import type { PodCache } from '../observation/pod-cache.ts';
import { newestContainer } from '../observation/pod-record.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { findContainer } from '../pod/containers.ts';
import type { UserInfo } from './access/authentication.ts';
import { HttpError } from './answers.ts';
import { containerTarget, type PodTarget, podTarget, requirePod } from './pod-paths.ts';
import { openSession } from './sessions/open-session.ts';

/** What sessions are served with. */
export interface StreamingOptions {
  runtime: CriClient['runtime'];
  store: PodStore;
  cache: PodCache;
  logger: Logger;
  /** Counts WebSocket sessions that are translated here, by subresource. */
  webSockets: Counter;
  sessions: SessionBook;
  idleTimeoutMs: number;
}

/**
 * exec, attach and portForward: the runtime is asked for a one-time URL, and the client is joined to it. SPDY and older
 * WebSockets pass through untouched; WebSocket v5 and tunnels are translated, as runtimes speak SPDY alone.
 */
export class StreamingRoutes {
  readonly #options: StreamingOptions;

  constructor(options: StreamingOptions) {
    this.#options = options;
  }

  /** Serves an upgrade until its session is over. Throws what is to be answered instead. */
  async serve(exchange: UpgradeExchange, url: URL, user: UserInfo): Promise<void> {
    const root = url.pathname.split('/')[1];
    if (root === 'exec') return this.#exec(exchange, url, user);
    if (root === 'attach') return this.#attach(exchange, url, user);
    if (root === 'portForward') return this.#portForward(exchange, url, user);
    throw new HttpError(400, 'this path can not be upgraded');
  }

  async #exec(exchange: UpgradeExchange, url: URL, user: UserInfo): Promise<void> {
    const streams = requestedStreams(url.searchParams);
    const target = containerTarget(url.pathname);
    const pod = requirePod(this.#options.store, target);
    const containerId = await this.runningContainer(pod, target?.container ?? '');
    const cmd = url.searchParams.getAll('command');
    const { url: backend } = await this.#options.runtime.exec({ containerId, cmd, ...streams });
    const facts = { kind: 'exec', command: cmd, containerId, container: target?.container ?? '' } as const;
    const session = this.#open(exchange, { pod, user, backend, ...facts });
    await this.#joinCommand(exchange, session, { subresource: 'exec', backend, streams });
  }

  async #attach(exchange: UpgradeExchange, url: URL, user: UserInfo): Promise<void> {
    const asked = requestedStreams(url.searchParams);
    const target = containerTarget(url.pathname);
    const pod = requirePod(this.#options.store, target);
    const name = target?.container ?? '';
    const tty = findContainer(pod, name)?.container.tty ?? false;
    const streams = openableStreams({ ...asked, tty });
    const containerId = await this.runningContainer(pod, name, notAttachable(pod, target));
    const { url: backend } = await this.#options.runtime.attach({ containerId, ...streams });
    const session = this.#open(exchange, {
      pod,
      user,
      backend,
      kind: 'attach',
      containerId,
      container: name,
    });
    await this.#joinCommand(exchange, session, { subresource: 'attach', backend, streams });
  }

  async #portForward(exchange: UpgradeExchange, url: URL, user: UserInfo): Promise<void> {
    const pod = requirePod(this.#options.store, podTarget(url.pathname));
    const { runtime, cache, webSockets, idleTimeoutMs } = this.#options;
    const record = await cache.get(pod.metadata.uid);
    const sandbox = record.sandboxes.find(({ state }) => state === PodSandboxState.SANDBOX_READY);
    if (!sandbox)
      throw new HttpError(
        500,
        `failed to find sandboxID for pod ${pod.metadata.name}_${pod.metadata.namespace}`,
      );
    const port = requestedPorts(url.searchParams);
    const { url: backend } = await runtime.portForward({ podSandboxId: sandbox.id, port });
    const facts = { kind: 'portforward', ports: port, sandboxId: sandbox.id } as const;
    const session = this.#open(exchange, { pod, user, backend, ...facts });
    const options = { ...exchange, backend: backendOf(backend, session), session, idleTimeoutMs };
    if (!wantsTunnel(exchange.request)) await proxyUpgrade(options);
    else {
      webSockets.add(1, { subresource: 'portforward' });
      await tunnelPortForward(options);
    }
  }

  async #joinCommand(
    exchange: UpgradeExchange,
    session: LiveSession,
    {
      subresource,
      backend,
      streams,
    }: { subresource: string; backend: string; streams: RemoteCommandStreams },
  ) {
    const { webSockets, idleTimeoutMs, logger } = this.#options;
    const options = { ...exchange, backend: backendOf(backend, session), session, idleTimeoutMs };
    if (!wantsTranslation(exchange.request)) {
      await proxyUpgrade(options);
      return;
    }
    webSockets.add(1, { subresource });
    await translateRemoteCommand({ ...options, streams, logger });
  }

  /** Writes down that a session begins, under the id that the API server gave it, or one of this kubelet's own. */
  #open(
    { request }: UpgradeExchange,
    {
      pod: { metadata },
      user,
      backend,
      ...facts
    }: Omit<SessionFacts, 'user' | 'pod'> & { pod: AssignedPod; user: UserInfo; backend: string },
  ): LiveSession {
    return openSession(this.#options.sessions, request, {
      ...facts,
      ...{ namespace: metadata.namespace, pod: metadata.name, podUid: metadata.uid },
      user: user.name,
      backendAddress: new URL(absolute(backend)).host,
    });
  }

  /** ID of the pod's running container of that name. Throws 500 in upstream's words. */
  async runningContainer(
    pod: AssignedPod,
    name: string,
    notFound = `container not found (${JSON.stringify(name)})`,
  ) {
    const record = await this.#options.cache.get(pod.metadata.uid);
    const status = newestContainer(record, name);
    if (status?.state === ContainerState.CONTAINER_RUNNING) return status.id;
    throw new HttpError(500, notFound);
  }
}

function notAttachable({ metadata }: AssignedPod, target: PodTarget | undefined): string {
  return `container ${target?.container} not found in pod ${metadata.name}_${metadata.namespace}`;
}

const isTrue = (value: string | null) => value === '1' || value === 'true';

/** The streams of a request, in the API server's spelling (`input=1`) or the API's own (`stdin=true`). */
function requestedStreams(query: URLSearchParams): RemoteCommandStreams {
  const has = (...names: string[]) => names.some((name) => isTrue(query.get(name)));
  const asked = {
    stdin: has('input', 'stdin'),
    stdout: has('output', 'stdout'),
    stderr: has('error', 'stderr'),
    tty: has('tty'),
  };
  if (asked.stdin || asked.stdout || asked.stderr) return openableStreams(asked);
  throw new HttpError(400, 'you must specify at least 1 of stdin, stdout, stderr');
}

function requestedPorts(query: URLSearchParams): number[] {
  const ports = [...query.getAll('port'), ...query.getAll('ports')].flatMap((value) => value.split(','));
  return ports.map((text) => {
    const port = Number(text);
    if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
    throw new HttpError(400, `unable to parse ${JSON.stringify(text)} as a port: must be 1 to 65535`);
  });
}

/** The runtime's streaming server, which is told of the session's id. */
const backendOf = (url: string, { id }: LiveSession) => ({
  url: absolute(url),
  headers: { [auditIdHeader]: id },
});

/** Some runtimes answer with `//host:port/…`. */
function absolute(url: string): string {
  return url.startsWith('//') ? `http:${url}` : url;
}
