import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { reviewCacheMax } from '../../limits.ts';
import { HttpError } from '../answers.ts';
import { AccessReviews } from './access-reviews.ts';
import type { UserInfo } from './authentication.ts';
import type { RequestAttributes } from './request-attributes.ts';

/** Decides whether somebody may do something to this node. */
export class Authorizer {
  readonly #isOpen: boolean;
  readonly #nodeName: string;
  readonly #reviews: AccessReviews;

  constructor(options: {
    client: KubeClient | undefined;
    clock: Clock;
    nodeName: string;
    configuration: KubeletConfiguration['authorization'];
  }) {
    const { client, clock, nodeName, configuration } = options;
    const { cacheAuthorizedTTL, cacheUnauthorizedTTL } = configuration.webhook;
    this.#isOpen = configuration.mode === 'AlwaysAllow';
    this.#nodeName = nodeName;
    this.#reviews = new AccessReviews({
      ...{ client, clock, entriesMax: reviewCacheMax },
      lifeMs: (isAllowed) => (isAllowed ? cacheAuthorizedTTL : cacheUnauthorizedTTL),
    });
  }

  /** Throws 403 naming user, verb and subresources; 500 when the API server can't be asked. */
  async authorize(user: UserInfo, { verb, subresources }: RequestAttributes): Promise<void> {
    if (this.#isOpen) return;
    for (const subresource of subresources) if (await this.#isAllowed(user, verb, subresource)) return;
    const list = `[${subresources.join(', ')}]`;
    throw new HttpError(
      403,
      `Forbidden (user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=${list})`,
    );
  }

  async #isAllowed(user: UserInfo, verb: string, subresource: string): Promise<boolean> {
    const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource, name: this.#nodeName };
    try {
      return await this.#reviews.isAllowed(user, { resourceAttributes });
    } catch {
      const what = `user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource}`;
      throw new HttpError(500, `Authorization error (${what})`);
    }
  }
}
