import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { TokenReview } from '@wherry/kubeapi';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { reviewCacheMax } from '../../limits.ts';
import { HttpError } from '../answers.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { Reviews } from './reviews.ts';

/** Who sent a request. */
export interface UserInfo {
  name: string;
  uid: string;
  groups: readonly string[];
  /** What else is known of a token's bearer, such as what it is for: who decides may look at it. */
  extra?: Record<string, string[]>;
}

/** Who shows nothing. */
export const anonymous: UserInfo = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] };
const authenticatedGroup = 'system:authenticated';

/** Finds out who sends a request: by client certificate, by bearer token (asked of the API server), or nobody. */
export class Authenticator {
  readonly #client: KubeClient | undefined;
  readonly #options: KubeletConfiguration['authentication'];
  readonly #tokens: ExpiringCache<UserInfo>;
  readonly #reviews: Reviews<UserInfo | undefined>;

  constructor(options: {
    client: KubeClient | undefined;
    clock: Clock;
    configuration: KubeletConfiguration['authentication'];
  }) {
    this.#client = options.client;
    this.#options = options.configuration;
    this.#reviews = new Reviews(options.clock);
    this.#tokens = new ExpiringCache({ clock: options.clock, entriesMax: reviewCacheMax });
  }

  /** Throws 401 `Unauthorized`. */
  async authenticate(request: IncomingMessage): Promise<UserInfo> {
    const { clientCAFile } = this.#options.x509;
    const user = (clientCAFile ? certificateUser(request) : undefined) ?? (await this.#tokenUser(request));
    if (user) return user;
    if (this.#options.anonymous.enabled) return anonymous;
    throw new HttpError(401, 'Unauthorized');
  }

  async #tokenUser(request: IncomingMessage): Promise<UserInfo | undefined> {
    const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token) return undefined;
    const client = this.#client;
    if (!this.#options.webhook.enabled || !client) throw new HttpError(401, 'Unauthorized');
    const key = createHash('sha256').update(token).digest('hex');
    const known = this.#tokens.get(key);
    if (known) return known;
    const user = await this.#reviews.ask(key, () => reviewToken(client, token)).catch(() => undefined);
    if (!user) throw new HttpError(401, 'Unauthorized');
    this.#tokens.set(key, user, this.#options.webhook.cacheTTL);
    return user;
  }
}

/** Undefined where nobody knows it. */
async function reviewToken(client: KubeClient, token: string): Promise<UserInfo | undefined> {
  const review: TokenReview = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token },
  };
  const { status } = await client.resource(kinds.tokenReviews).create(review);
  const { authenticated, user } = status ?? {};
  if (!authenticated || !user?.username) return undefined;
  const { username: name, uid = '', groups = [], extra } = user;
  return { name, uid, groups: withAuthenticated(groups), ...(extra && { extra }) };
}

/** Only of a server that verifies with the configured authority: Node's own list would let in whoever one of it vouches for. */
function certificateUser({ socket }: IncomingMessage): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  if (!subject?.CN) return undefined;
  const organizations = subject.O as string | string[] | undefined;
  const groups = organizations === undefined ? [] : [organizations].flat();
  return { name: [subject.CN].flat()[0] ?? '', uid: '', groups: withAuthenticated(groups) };
}

function withAuthenticated(groups: readonly string[]): string[] {
  return groups.includes(authenticatedGroup) ? [...groups] : [...groups, authenticatedGroup];
}
