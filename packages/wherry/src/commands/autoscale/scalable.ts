import type { DiscoveredResource, KubeClient } from '@wherry/client';
import type { APIResourceList } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { groupVersionOf } from '../../objects/catalog.ts';

/** What can be scaled, by what the server says; each group version is asked about once. */
export class Scalable {
  readonly #client: KubeClient;
  readonly #subresources = new Map<string, Promise<string[]>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Throws `CommandError` for a resource without a sub-resource `scale`. */
  async require(resource: DiscoveredResource): Promise<void> {
    const { group, version, plural, kind } = resource;
    if ((await this.#namesOf(resource)).includes(`${plural}/scale`)) return;
    const what = `${group}/${version}, Resource=${plural}`;
    throw new CommandError(
      `cannot autoscale a ${kind}: could not find scale subresource for ${what} in discovery information`,
    );
  }

  #namesOf(resource: DiscoveredResource): Promise<string[]> {
    const path = `/${resource.group === '' ? 'api' : 'apis'}/${groupVersionOf(resource)}`;
    const known = this.#subresources.get(path);
    if (known) return known;
    const asked = this.#client
      .request<APIResourceList>({ method: 'GET', path })
      .then(({ resources }) => resources.map(({ name }) => name));
    this.#subresources.set(path, asked);
    return asked;
  }
}
