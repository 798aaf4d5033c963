import type { IncomingMessage, ServerResponse } from 'node:http';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { ContainerState, type ContainerStatus, type CriClient, isCriError } from '@wherry/cri';
import type { LiveSession, SessionBook } from '@wherry/telemetry';
import type { PodStore } from '../board/pod-store.ts';
import { LogStateError, loggedContainer } from '../logs/log-path.ts';
import { type LogOptions, readContainerLog } from '../logs/read-log.ts';
import type { PodCache } from '../observation/pod-cache.ts';
import { findContainer } from '../pod/containers.ts';
import type { StatusManager } from '../reporting/status/status-manager.ts';
import type { UserInfo } from './access/authentication.ts';
import { HttpError, leavingOf } from './answers.ts';
import { parseLogQuery } from './log-query.ts';
import { containerTarget } from './pod-paths.ts';
import { openSession } from './sessions/open-session.ts';

/** What logs are served with. */
export interface LogRouteOptions {
  runtime: CriClient['runtime'];
  store: PodStore;
  cache: PodCache;
  statuses: StatusManager;
  clock: Clock;
  /** Feature gate PodLogsQuerySplitStreams. */
  splitStreams: boolean;
  sessions: SessionBook;
}

/** `/containerLogs/{ns}/{pod}/{container}`. */
export class LogRoute {
  readonly #options: LogRouteOptions;

  constructor(options: LogRouteOptions) {
    this.#options = options;
  }

  /** Writes the log until its end, or until the client leaves. Throws what is to be answered instead. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    user: UserInfo | undefined,
  ): Promise<void> {
    const { clock, splitStreams } = this.#options;
    const query = parseLogQuery(url.searchParams, { nowMs: clock.nowMs(), splitStreams });
    const { uid, shownId } = this.#find(url.pathname, query.previous);
    const containerId = shownId.replace(/^.*:\/\//, '');
    const path = await this.#logPath(containerId, shownId);
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.flushHeaders();
    const session = query.follow
      ? this.#open(request, { path: url.pathname, uid, containerId, user })
      : undefined;
    session?.stream('log').down.holds(() => response.writableLength);
    const signal = leavingOf(response);
    await this.#send(path, query, { uid, containerId, response, session, signal });
    session?.end({ reason: 'closed', by: signal.aborted ? 'client' : 'process' });
    if (!response.destroyed) response.end();
    request.resume();
  }

  async #send(
    path: string,
    options: LogOptions,
    to: {
      uid: string;
      containerId: string;
      response: ServerResponse;
      session: LiveSession | undefined;
      signal: AbortSignal;
    },
  ): Promise<void> {
    const { response, signal } = to;
    try {
      await readContainerLog(path, options, {
        clock: this.#options.clock,
        isRunning: () => this.#isRunning(to.uid, to.containerId),
        write: (bytes) => writeSlowly(response, bytes, to),
        signal,
      });
    } catch (error) {
      // The status is sent already: what went wrong can only be said in the body.
      if (!signal.aborted) response.write((error as Error).message);
    }
  }

  #open(
    request: IncomingMessage,
    {
      path,
      uid,
      containerId,
      user,
    }: { path: string; uid: string; containerId: string; user: UserInfo | undefined },
  ): LiveSession {
    const target = containerTarget(path);
    const session = openSession(this.#options.sessions, request, {
      ...{ kind: 'log', namespace: target?.namespace, pod: target?.pod, container: target?.container },
      ...{ podUid: uid, containerId, user: user?.name },
    });
    session.joined({ client: 'HTTP' });
    return session;
  }

  /** The pod, and the container as its status has it: `RUNTIME://ID`. */
  #find(path: string, previous: boolean): { uid: string; shownId: string } {
    const { store, statuses } = this.#options;
    const target = containerTarget(path);
    if (!target) throw new HttpError(404, '404 page not found');
    const pod = store.find(target.namespace, target.pod, target.uid);
    if (!pod) throw new HttpError(404, `pod ${JSON.stringify(target.pod)} does not exist`);
    if (!findContainer(pod, target.container)) {
      const what = `container ${JSON.stringify(target.container)}`;
      throw new HttpError(404, `${what} not found in pod ${JSON.stringify(target.pod)}`);
    }
    const { uid } = pod.metadata;
    const status = statuses.get(uid) ?? pod.status;
    try {
      return {
        uid,
        shownId: loggedContainer({ ...pod, ...(status ? { status } : {}) }, target.container, previous),
      };
    } catch (error) {
      if (error instanceof LogStateError) throw new HttpError(400, error.message);
      throw error;
    }
  }

  async #logPath(containerId: string, shownId: string): Promise<string> {
    let status: ContainerStatus | undefined;
    try {
      ({ status } = await this.#options.runtime.containerStatus({ containerId }));
    } catch (error) {
      if (!isCriError(error, 'NOT_FOUND')) throw error;
      throw new HttpError(404, `unable to retrieve container logs for ${shownId}`);
    }
    if (status?.logPath) return status.logPath;
    throw new HttpError(500, `failed to get log path of container "${containerId}"`);
  }

  async #isRunning(uid: string, containerId: string): Promise<boolean> {
    const known = this.#options.cache.peek(uid)?.containers.find(({ id }) => id === containerId);
    if (known) return known.state === ContainerState.CONTAINER_RUNNING;
    try {
      const { status } = await this.#options.runtime.containerStatus({ containerId });
      return status?.state === ContainerState.CONTAINER_RUNNING;
    } catch (error) {
      if (isCriError(error, 'UNAVAILABLE')) return true;
      throw error;
    }
  }
}

function writeSlowly(
  response: ServerResponse,
  bytes: Uint8Array,
  { signal, session }: { signal: AbortSignal; session: LiveSession | undefined },
): Promise<void> {
  const told = session?.stream('log').down;
  told?.passed(bytes.length);
  if (response.write(bytes)) return Promise.resolve();
  told?.waits(true);
  return new Promise((resolve, reject) => {
    const drained = () => {
      told?.waits(false);
      leave();
      resolve();
    };
    response.once('drain', drained);
    const leave = onAbort(signal, (reason) => {
      response.removeListener('drain', drained);
      reject(reason);
    });
  });
}
