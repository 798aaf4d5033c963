import type { Clock } from '@wherry/clock';
import { connectRemoteCommand, type RemoteCommandConnection } from '@wherry/remotecommand';
import type { UpgradeTarget } from '@wherry/upgrade';
import { discardBody } from '../http/body.ts';
import type { HttpAnswer, HttpDoor, HttpRequest } from '../http/door.ts';
import type { SessionRequest } from '../sessions/session.ts';
import type { SessionDoor } from '../sessions/session-door.ts';
import { type Authorization, authorize, replaceRefused } from './authorization.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { HttpTransport } from './http-transport.ts';
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
  readonly #transport: HttpTransport;

  constructor(options: NodeDoorOptions) {
    this.#options = options;
    this.#transport = new HttpTransport(options);
  }

  get serverName(): string {
    return this.#options.access.server.host;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { access } = this.#options;
    const first = await authorize(access, request.signal);
    const answer = await this.#transport.request(request, first);
    if (answer.status !== 401 || !(await replaceRefused(access, first))) return answer;
    await discardBody(answer);
    return this.#transport.request(request, await authorize(access, request.signal));
  }

  /** See `KubeClient.upgrade`. */
  async upgrade<T>(
    { path, signal }: Pick<HttpRequest, 'path' | 'signal'>,
    connect: (target: UpgradeTarget) => Promise<T>,
  ): Promise<T> {
    const { access, userAgent, clock } = this.#options;
    const attempt = async (authorization: Authorization) =>
      connect(upgradeTarget(access, { path, signal, authorization, userAgent, clock }));
    try {
      const first = await authorize(access, signal);
      try {
        return await attempt(first);
      } catch (error) {
        if (!isUnauthorized(error) || !(await replaceRefused(access, first))) throw error;
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
}
