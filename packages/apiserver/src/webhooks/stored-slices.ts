import type { EndpointSlice } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import { objectOf } from '../objects/stored-text.ts';
import type { Store } from '../store/store.ts';

const gvk = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' };
const serviceLabel = 'kubernetes.io/service-name';

/** Slices of endpoints as webhooks are looked up; there are too many of them for a cache. */
export class StoredSlices {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Of one service. */
  async of(namespace: string, service: string): Promise<EndpointSlice[]> {
    const { items } = await this.#store.range({ prefix: `/${gvk.group}/endpointslices/${namespace}/` });
    const slices = items.map((stored) => as<EndpointSlice>(objectOf(stored, gvk)));
    return slices.filter(({ metadata }) => metadata.labels?.[serviceLabel] === service);
  }
}
