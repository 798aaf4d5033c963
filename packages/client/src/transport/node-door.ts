import type { IncomingMessage } from 'node:http';
import type { Clock } from '@wherry/clock';
import { connectRemoteCommand, type RemoteCommandConnection } from '@wherry/remotecommand';
import {
  encodeAnswer,
  finishWith,
  type ProxyOutcome,
  type ProxyUpgradeOptions,
  plainTextAnswer,
  proxyUpgrade,
  type UpgradeTarget,
} from '@wherry/upgrade';
import { ClientError } from '../errors.ts';
import { discardBody } from '../http/body.ts';
import type { HttpAnswer, HttpDoor, HttpRequest } from '../http/door.ts';
import type { SessionRequest } from '../sessions/session.ts';
import type { SessionDoor } from '../sessions/session-door.ts';
import { type Authorization, authorize, replaceRefused } from './authorization.ts';
import { besideBrought, broughtCredentials, withoutCredentials } from './brought-credentials.ts';
import type { ClusterAccess, HeaderFields } from './cluster-access.ts';
import { HttpTransport } from './http-transport.ts';
import { checkPassedPath, type PassedRequest, type PassedUpgrade } from './passed-request.ts';
import { isUnauthorized, translateUpgradeError, upgradeTarget } from './upgrade.ts';

/** What a {@link NodeDoor} is made of. */
export interface NodeDoorOptions {
  access: ClusterAccess;
  userAgent: string;
  clock: Clock;
}

/** Node's connections to one API server, as one user. What the server refuses with 401 is tried once more, with others. */
export class NodeDoor implements HttpDoor, SessionDoor {
  readonly #options: NodeDoorOptions;
  #access: ClusterAccess;
  #transport: HttpTransport;

  constructor(options: NodeDoorOptions) {
    this.#options = options;
    this.#access = options.access;
    this.#transport = new HttpTransport(options);
  }

  get serverName(): string {
    return this.#access.server.host;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const access = await this.#currentAccess();
    const first = await authorize(access, request.signal);
    const answer = await this.#transport.request(request, first);
    if (answer.status !== 401) return answer;
    const isReplaced = await replaceRefused(access, first, request.signal).catch((error: unknown) => {
      answer.cancel();
      throw error;
    });
    if (!isReplaced) return answer;
    await discardBody(answer);
    return this.#transport.request(request, await authorize(access, request.signal));
  }

  /** See `KubeClient.pass`. */
  async pass({ bringsCredentials, ...asked }: PassedRequest): Promise<IncomingMessage> {
    checkPassedPath(asked.path);
    const request = bringsCredentials ? asked : { ...asked, headers: withoutCredentials(asked.headers) };
    const access = await this.#currentAccess();
    const first = await authorize(access, request.signal);
    const answer = await this.#transport.pass(request, first);
    if (answer.statusCode !== 401) return answer;
    const isReplaced = await replaceRefused(access, first, request.signal).catch((error: unknown) => {
      answer.destroy();
      throw error;
    });
    // A body is gone; who sent it may send it again.
    if (!isReplaced || request.body !== undefined) return answer;
    answer.destroy();
    return this.#transport.pass(request, await authorize(access, request.signal));
  }

  /** See `KubeClient.passUpgrade`. */
  async passUpgrade({ path, ...exchange }: PassedUpgrade): Promise<ProxyOutcome> {
    const { socket, signal, bringsCredentials, renderError = plainTextAnswer, ...rest } = exchange;
    const { clock } = this.#options;
    // Node has taken its own away, and credentials may be long in coming.
    socket.on('error', () => {});
    try {
      checkPassedPath(path);
      const access = await this.#currentAccess();
      const authorization = await authorize(access, signal);
      const brought = bringsCredentials ? broughtCredentials(rest.request.rawHeaders) : { cookie: [] };
      const backend = this.#passedBackend(path, { access, authorization, brought, signal });
      const outcome = await proxyUpgrade({ ...rest, socket, backend, renderError, clock, signal });
      if (outcome.statusCode === 401) await replaceRefused(access, authorization, signal).catch(() => {});
      return outcome;
    } catch (thrown) {
      const error = thrown as Error;
      const answer = renderError(
        error instanceof ClientError && error.code === 'bad-argument' ? 400 : 500,
        error.message,
      );
      finishWith(socket, encodeAnswer(answer));
      return { statusCode: answer.statusCode, bytesFromClient: 0, bytesFromBackend: 0, error };
    }
  }

  /** The server behind, with the client's credentials beside those that a request brings. */
  #passedBackend(
    path: string,
    {
      access,
      authorization,
      brought,
      signal,
    }: {
      access: ClusterAccess;
      authorization: Authorization;
      brought: HeaderFields;
      signal: AbortSignal | undefined;
    },
  ): ProxyUpgradeOptions['backend'] {
    const { userAgent, clock } = this.#options;
    const { server } = access;
    const { tls, connect } = upgradeTarget(access, { path: '/', signal, authorization, userAgent, clock });
    const headers = { host: server.host, ...besideBrought(authorization.headers, brought), ...brought };
    const [pathname = '', search = ''] = path.split(/\?(.*)/s);
    return { url: Object.assign(new URL(server), { pathname, search }), headers, tls, connect };
  }

  /** See `KubeClient.upgrade`. */
  async upgrade<T>(
    { path, signal }: Pick<HttpRequest, 'path' | 'signal'>,
    connect: (target: UpgradeTarget) => Promise<T>,
  ): Promise<T> {
    const { userAgent, clock } = this.#options;
    const access = await this.#currentAccess();
    const attempt = async (authorization: Authorization) =>
      connect(upgradeTarget(access, { path, signal, authorization, userAgent, clock }));
    try {
      const first = await authorize(access, signal);
      try {
        return await attempt(first);
      } catch (error) {
        if (!isUnauthorized(error) || !(await replaceRefused(access, first, signal))) throw error;
      }
      return await attempt(await authorize(access, signal));
    } catch (error) {
      throw translateUpgradeError(error, access.server);
    }
  }

  openSession({ path, streams, transport, signal }: SessionRequest): Promise<RemoteCommandConnection> {
    const { clock } = this.#options;
    return this.upgrade({ path, signal }, (target) =>
      connectRemoteCommand({ ...target, streams, transport, clock }),
    );
  }

  close(): void {
    this.#transport.close();
  }

  /** Renewed certificates have connections of their own. */
  async #currentAccess(): Promise<ClusterAccess> {
    const tls = await this.#options.access.tlsFiles?.current();
    if (tls && tls !== this.#access.tls) {
      this.#access = { ...this.#access, tls };
      this.#transport.retire();
      this.#transport = new HttpTransport({ ...this.#options, access: this.#access });
    }
    return this.#access;
  }
}
