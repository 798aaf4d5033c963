import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { SubjectAccessReview } from '@wherry/kubeapi';
import { ExpiringCache, Reviews, type UserInfo } from '@wherry/kubelet/access';
import { limits } from './limits.ts';

/** Members may do everything. */
const mastersGroup = 'system:masters';

/** Asks the API server whether somebody may ask for a path, and remembers the answer for a while. */
export class DelegatedAuthorizer {
  readonly #client: KubeClient;
  readonly #answers: ExpiringCache<boolean>;
  readonly #reviews: Reviews<boolean>;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#reviews = new Reviews(clock);
    this.#answers = new ExpiringCache({ clock, entriesMax: limits.accessAnswersMax });
  }

  /** Rejects when the API server can't be asked. */
  async isAllowed(user: UserInfo, verb: string, path: string): Promise<boolean> {
    if (user.groups.includes(mastersGroup)) return true;
    const key = JSON.stringify([user.name, user.uid, user.groups, verb, path]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const allowed = await this.#reviews.ask(key, () => this.#review(user, verb, path));
    this.#answers.set(key, allowed, limits.accessAnswerMs);
    return allowed;
  }

  async #review(user: UserInfo, verb: string, path: string): Promise<boolean> {
    const review: SubjectAccessReview = {
      ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} },
      spec: {
        ...{ user: user.name, uid: user.uid, groups: [...user.groups] },
        nonResourceAttributes: { verb, path },
      },
    };
    const { status } = await this.#client.resource(kinds.subjectAccessReviews).create(review);
    return status?.allowed === true;
  }
}
