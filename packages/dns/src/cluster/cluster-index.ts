import { type InformerHandlers, keyOf } from '@wherry/client';
import { type EndpointSlice, type Namespace, ownValue, type Service } from '@wherry/kubeapi/objects';
import { ServiceEntry } from './service-entry.ts';

const serviceNameLabel = 'kubernetes.io/service-name';

/** A name of an endpoint that has an address: its own label, and its service's `NAME.NAMESPACE`. */
interface AddressName {
  hostname: string;
  service: string;
}

/**
 * What names are made of, kept up to date object by object: a change costs what changed, and a question looks at the
 * objects that it names.
 */
export class ClusterIndex {
  readonly #namespaces = new Set<string>();
  /** By `NAME.NAMESPACE`, which is unique since neither has a dot. */
  readonly #services = new Map<string, ServiceEntry>();
  readonly #serviceOfAddress = new Map<string, string>();
  /** By address, then by slice. */
  readonly #endpointsOfAddress = new Map<string, Map<string, AddressName>>();

  readonly namespaces: InformerHandlers<Namespace> = {
    added: ({ metadata }) => void this.#namespaces.add(metadata?.name ?? ''),
    deleted: ({ metadata }) => void this.#namespaces.delete(metadata?.name ?? ''),
  };

  readonly services: InformerHandlers<Service> = {
    added: (service) => this.#setService(service, service),
    updated: (service) => this.#setService(service, service),
    deleted: (service) => this.#setService(service, undefined),
  };

  readonly slices: InformerHandlers<EndpointSlice> = {
    added: (slice) => this.#setSlice(slice, true),
    updated: (slice, previous) => {
      if (serviceOf(previous) !== serviceOf(slice)) this.#setSlice(previous, false);
      this.#setSlice(slice, true);
    },
    deleted: (slice) => this.#setSlice(slice, false),
  };

  hasNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  /** The service, or undefined when there is none of that name. */
  service(name: string, namespace: string): ServiceEntry | undefined {
    const entry = this.#services.get(`${name}.${namespace}`);
    return entry?.isService ? entry : undefined;
  }

  /** The service, as `NAME.NAMESPACE`, that has the cluster address. */
  serviceAt(ip: string): string | undefined {
    return this.#serviceOfAddress.get(ip);
  }

  /** The names that endpoints of the address go by. */
  endpointsAt(ip: string): Iterable<AddressName> {
    return this.#endpointsOfAddress.get(ip)?.values() ?? [];
  }

  #setService({ metadata }: Service, now: Service | undefined): void {
    const name = `${metadata?.name}.${metadata?.namespace}`;
    const entry = this.#entry(name);
    for (const { ip } of entry.addresses)
      if (this.#serviceOfAddress.get(ip) === name) this.#serviceOfAddress.delete(ip);
    entry.setService(now);
    for (const { ip } of entry.addresses) this.#serviceOfAddress.set(ip, name);
    this.#dropEmpty(entry);
  }

  #setSlice(slice: EndpointSlice, isThere: boolean): void {
    const service = serviceOf(slice);
    if (service === undefined) return;
    const entry = this.#entry(service);
    const key = keyOf(slice);
    const { before, now } = entry.setSlice(key, isThere ? slice : undefined);
    for (const { ip } of before) {
      const names = this.#endpointsOfAddress.get(ip);
      names?.delete(key);
      if (names?.size === 0) this.#endpointsOfAddress.delete(ip);
    }
    for (const { ip, hostname } of now) {
      const names = this.#endpointsOfAddress.get(ip) ?? new Map<string, AddressName>();
      this.#endpointsOfAddress.set(ip, names.set(key, { hostname, service }));
    }
    this.#dropEmpty(entry);
  }

  #entry(name: string): ServiceEntry {
    const entry = this.#services.get(name) ?? new ServiceEntry(name);
    this.#services.set(name, entry);
    return entry;
  }

  #dropEmpty(entry: ServiceEntry): void {
    if (entry.isEmpty) this.#services.delete(entry.name);
  }
}

function serviceOf({ metadata }: EndpointSlice): string | undefined {
  const name = ownValue(metadata.labels, serviceNameLabel);
  return name ? `${name}.${metadata.namespace}` : undefined;
}
