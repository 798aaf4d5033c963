import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { SubjectAccessReview } from '@wherry/kubeapi';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { reviewCacheMax } from '../../limits.ts';
import { HttpError } from '../answers.ts';
import type { UserInfo } from './authentication.ts';
import { ExpiringCache } from './expiring-cache.ts';
import type { RequestAttributes } from './request-attributes.ts';
import { Reviews } from './reviews.ts';

/** Asks the API server whether somebody may do something to this node, and remembers the answer for a while. */
export class Authorizer {
  readonly #client: KubeClient | undefined;
  readonly #options: KubeletConfiguration['authorization'];
  readonly #nodeName: string;
  readonly #answers: ExpiringCache<boolean>;
  readonly #reviews: Reviews<boolean>;

  constructor(options: {
    client: KubeClient | undefined;
    clock: Clock;
    nodeName: string;
    configuration: KubeletConfiguration['authorization'];
  }) {
    this.#client = options.client;
    this.#options = options.configuration;
    this.#nodeName = options.nodeName;
    this.#reviews = new Reviews(options.clock);
    this.#answers = new ExpiringCache({ clock: options.clock, entriesMax: reviewCacheMax });
  }

  /** Throws 403 naming user, verb and subresources; 500 when the API server can't be asked. */
  async authorize(user: UserInfo, { verb, subresources }: RequestAttributes): Promise<void> {
    if (this.#options.mode === 'AlwaysAllow') return;
    for (const subresource of subresources) if (await this.#isAllowed(user, verb, subresource)) return;
    const list = `[${subresources.join(', ')}]`;
    throw new HttpError(
      403,
      `Forbidden (user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=${list})`,
    );
  }

  async #isAllowed(user: UserInfo, verb: string, subresource: string): Promise<boolean> {
    const key = JSON.stringify([user.name, user.uid, user.groups, verb, subresource]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const allowed = await this.#reviewed(key, user, { verb, subresource });
    const { cacheAuthorizedTTL, cacheUnauthorizedTTL } = this.#options.webhook;
    this.#answers.set(key, allowed, allowed ? cacheAuthorizedTTL : cacheUnauthorizedTTL);
    return allowed;
  }

  /** Throws 500 when the API server can't be asked. */
  async #reviewed(
    key: string,
    user: UserInfo,
    { verb, subresource }: { verb: string; subresource: string },
  ): Promise<boolean> {
    try {
      return await this.#reviews.ask(key, () => this.#review(user, verb, subresource));
    } catch {
      const what = `user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource}`;
      throw new HttpError(500, `Authorization error (${what})`);
    }
  }

  async #review(user: UserInfo, verb: string, subresource: string): Promise<boolean> {
    const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource, name: this.#nodeName };
    const review: SubjectAccessReview = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: user.name, uid: user.uid, groups: [...user.groups], resourceAttributes },
    };
    if (!this.#client) throw new Error('this kubelet has no API server to ask');
    const { status } = await this.#client.resource(kinds.subjectAccessReviews).create(review);
    return status?.allowed === true;
  }
}
