import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { SubjectAccessReview } from '@wherry/kubeapi';
import type { UserInfo } from './authentication.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { Reviews } from './reviews.ts';

/** What somebody wants to do: to a resource, or to a path. */
export type Access = Pick<SubjectAccessReview['spec'], 'resourceAttributes' | 'nonResourceAttributes'>;

/** Asks the API server whether somebody may do something, and remembers the answer for a while. */
export class AccessReviews {
  readonly #client: KubeClient | undefined;
  readonly #answers: ExpiringCache<boolean>;
  readonly #reviews: Reviews<boolean>;
  readonly #lifeMs: (isAllowed: boolean) => number;

  /** `lifeMs` is how long an answer counts. */
  constructor(options: {
    client: KubeClient | undefined;
    clock: Clock;
    entriesMax: number;
    lifeMs: (isAllowed: boolean) => number;
  }) {
    this.#client = options.client;
    this.#lifeMs = options.lifeMs;
    this.#reviews = new Reviews(options.clock);
    this.#answers = new ExpiringCache(options);
  }

  /** Rejects when the API server can't be asked. */
  async isAllowed({ name, uid, groups, extra }: UserInfo, access: Access): Promise<boolean> {
    const spec = { user: name, uid, groups: [...groups], extra, ...access };
    const key = JSON.stringify(spec);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const isAllowed = await this.#reviews.ask(key, () => this.#review(spec));
    this.#answers.set(key, isAllowed, this.#lifeMs(isAllowed));
    return isAllowed;
  }

  async #review(spec: SubjectAccessReview['spec']): Promise<boolean> {
    const review: SubjectAccessReview = {
      ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} },
      spec,
    };
    if (!this.#client) throw new Error('there is no API server to ask');
    const { status } = await this.#client.resource(kinds.subjectAccessReviews).create(review);
    return status?.allowed === true;
  }
}
