import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { AccessReviews, type UserInfo } from '@wherry/kubelet/access';
import { limits } from './limits.ts';

/** Members may do everything. */
const mastersGroup = 'system:masters';

/** Decides whether somebody may ask for a path, by the API server's word. */
export class DelegatedAuthorizer {
  readonly #reviews: AccessReviews;

  constructor(client: KubeClient, clock: Clock) {
    this.#reviews = new AccessReviews({
      ...{ client, clock, entriesMax: limits.accessAnswersMax },
      lifeMs: () => limits.accessAnswerMs,
    });
  }

  /** Rejects when the API server can't be asked. */
  async isAllowed(user: UserInfo, verb: string, path: string): Promise<boolean> {
    if (user.groups.includes(mastersGroup)) return true;
    return this.#reviews.isAllowed(user, { nonResourceAttributes: { verb, path } });
  }
}
