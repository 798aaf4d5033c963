import type { IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '@wherry/clock';
import type { ProxyOutcome, UpgradeTarget } from '@wherry/upgrade';
import { loadClusterAccess } from '../access/access-from.ts';
import type { AccessOptions } from '../access/access-options.ts';
import { ApiClient } from '../core/api-client.ts';
import { type PassedExchange, type PassedOutcome, passRequest } from '../gateway/pass-request.ts';
import type { HttpRequest } from '../http/door.ts';
import type { Exchange, ReadAnswer, SentRequest } from '../http/requests.ts';
import type { ClusterAccess } from '../transport/cluster-access.ts';
import { NodeDoor } from '../transport/node-door.ts';
import type { PassedRequest, PassedUpgrade } from '../transport/passed-request.ts';
import { defaultUserAgent } from '../transport/user-agent.ts';

/** What a client is made of. */
export interface KubeClientOptions {
  access: ClusterAccess;
  /** Default: `wherry/VERSION (PLATFORM)`. */
  userAgent?: string | undefined;
  clock?: Clock | undefined;
  /**
   * How long a refused connection is tried again, in milliseconds; nothing was sent, so every method may be
   * repeated. Default 0: fail at once. Loops with a back-off of their own leave it at 0.
   */
  connectRetryMs?: number | undefined;
  /** How long one request may take with its answer, in milliseconds; watches and logs too. Default: as long as it takes. */
  requestTimeoutMs?: number | undefined;
  /** Hears of each request that was sent, those that are sent again too; not of upgrades. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Hears of each answer whose body is read by a method that answers objects, and of refusals. */
  onRead?: ((answer: ReadAnswer) => void) | undefined;
  /** Sees each request off, those that are sent again too, and may send headers along; not with upgrades. */
  onSend?: ((request: HttpRequest) => SentRequest) | undefined;
  /** Hears what the server says beside its answers, to be shown to people: deprecated versions, fields that it does not know. */
  onWarning?: ((text: string) => void) | undefined;
}

/**
 * A client of one API server, as one user, over Node's connections. Share one per process: connections are kept and
 * reused.
 */
export class KubeClient extends ApiClient {
  readonly access: ClusterAccess;
  readonly #door: NodeDoor;

  constructor({ access, userAgent = defaultUserAgent, clock = systemClock, ...times }: KubeClientOptions) {
    const door = new NodeDoor({ access, userAgent, clock });
    const acceptEncoding = access.disableCompression ? undefined : 'gzip';
    super({ ...times, door, sessions: door, namespace: access.namespace, clock, acceptEncoding });
    this.access = access;
    this.#door = door;
  }

  /**
   * Passes on a request that somebody else has made, with this client's credentials unless it may bring its own, and hands the answer
   * out as it comes. Throws `ClientError` or `signal.reason`; answers of any status resolve. Headers of one connection are the caller's
   * to leave out: `passRequest` does all of it.
   */
  pass(request: PassedRequest): Promise<IncomingMessage> {
    return this.#door.pass(request);
  }

  /**
   * Passes on a request that a server of Node's got, and answers it: as `pass` does, with the headers that go on, at the pace of who is
   * slower, until the client leaves. Never rejects: what goes wrong is answered (500, or 400 for a path), and told by the outcome.
   */
  passRequest(exchange: PassedExchange): Promise<PassedOutcome> {
    return passRequest((request) => this.pass(request), exchange);
  }

  /**
   * Passes on an upgrade that somebody else asks for, as `passRequest` does a request, and every byte behind it both ways. Resolves when
   * all is over, and never rejects.
   */
  passUpgrade(exchange: PassedUpgrade): Promise<ProxyOutcome> {
    return this.#door.passUpgrade(exchange);
  }

  /**
   * Opens a streaming connection: `connect` is called with the target for an API path, and once more with other
   * credentials when the server answers 401 and there are others. Throws `StatusError`, `ClientError` or what
   * `connect` throws.
   */
  upgrade<T>(
    request: Pick<HttpRequest, 'path' | 'signal'>,
    connect: (target: UpgradeTarget) => Promise<T>,
  ): Promise<T> {
    return this.#door.upgrade(request, connect);
  }
}

/** A client for the cluster that the kubeconfig names. Throws `ClientError` `bad-config`. */
export function createKubeClient(
  options: AccessOptions & Omit<KubeClientOptions, 'access'> = {},
): KubeClient {
  return new KubeClient({ ...options, access: loadClusterAccess(options) });
}
