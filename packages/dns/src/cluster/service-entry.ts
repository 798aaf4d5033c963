import type { EndpointSlice, Service } from '@wherry/kubeapi/objects';
import { nameFrom } from '../wire/name.ts';
import {
  type EndpointAddress,
  type NamedPort,
  namedPorts,
  parseAddress,
  readyAddresses,
} from './endpoints.ts';

/** What is asked for below a service's name. */
export interface Asked {
  /** '' for the service itself. */
  endpoint: string;
  /** '' for any. */
  port: string;
  /** '' for any. */
  protocol: string;
}

/** An address that was asked for, and the ports to find it at. */
export interface Target {
  ip: string;
  bytes: Uint8Array;
  /** The label below the service that names this very address; '' when the service's name does. */
  hostname: string;
  /** Shared by many targets: a service may have thousands of both. */
  ports: readonly NamedPort[];
}

/** What there is at a name: another name, or addresses, which may be none. */
export type Found = { alias: string } | { targets: readonly Target[] };

interface Facts {
  isHeadless: boolean;
  /** The other name of an ExternalName service. */
  alias: string | undefined;
  addresses: readonly { ip: string; bytes: Uint8Array }[];
  ports: readonly NamedPort[];
}

/** A service and its slices, either of which may come first. */
export class ServiceEntry {
  /** `NAME.NAMESPACE` */
  readonly name: string;
  #facts: Facts | undefined;
  readonly #slices = new Map<string, readonly EndpointAddress[]>();
  #byHostname: Map<string, EndpointAddress[]> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isEmpty(): boolean {
    return this.#facts === undefined && this.#slices.size === 0;
  }

  get isService(): boolean {
    return this.#facts !== undefined;
  }

  /** The cluster addresses that lead to it. */
  get addresses(): readonly { ip: string }[] {
    return this.#facts?.addresses ?? [];
  }

  setService(service: Service | undefined): void {
    this.#facts = service && factsOf(service);
  }

  /** Takes what a slice says now, or forgets it; returns the addresses that it had before and has now. */
  setSlice(key: string, slice: EndpointSlice | undefined) {
    const before = this.#slices.get(key) ?? [];
    const now = slice ? readyAddresses(slice) : [];
    if (slice) this.#slices.set(key, now);
    else this.#slices.delete(key);
    this.#byHostname = undefined;
    return { before, now };
  }

  /** What is asked for; undefined when there is no such name. */
  find(asked: Asked): Found | undefined {
    const facts = this.#facts;
    if (!facts) return undefined;
    const { endpoint, port, protocol } = asked;
    if (facts.alias !== undefined) return endpoint || port || protocol ? undefined : { alias: facts.alias };
    const wanted = new Map<readonly NamedPort[], readonly NamedPort[]>();
    const portsOf = (ports: readonly NamedPort[]) => {
      if (port === '' && protocol === '') return ports;
      const isWanted = (each: NamedPort) =>
        (port === '' || port === each.name) && (protocol === '' || protocol === each.protocol);
      const found = wanted.get(ports) ?? ports.filter(isWanted);
      wanted.set(ports, found);
      return found;
    };
    const all =
      facts.isHeadless || endpoint
        ? this.#endpoints(endpoint)
        : facts.addresses.map((address) => ({ ...address, hostname: '', ports: facts.ports }));
    const targets = all.flatMap(({ ip, bytes, hostname, ports }) => {
      const found = portsOf(ports);
      return found.length > 0 ? [{ ip, bytes, hostname, ports: found }] : [];
    });
    return targets.length > 0 ? { targets } : undefined;
  }

  #endpoints(hostname: string): readonly EndpointAddress[] {
    if (hostname === '') return [...this.#slices.values()].flat();
    // One pass after a change of this service, however many of its pods are asked for.
    this.#byHostname ??= Map.groupBy([...this.#slices.values()].flat(), (each) => each.hostname);
    return this.#byHostname.get(hostname) ?? [];
  }
}

function factsOf({ spec = {} }: Service): Facts {
  const { type, clusterIP = '', clusterIPs, externalName = '', ports } = spec;
  const texts = clusterIPs?.length ? clusterIPs : [clusterIP];
  return {
    isHeadless: texts[0] === 'None',
    alias: type === 'ExternalName' ? nameFrom(externalName) : undefined,
    addresses: texts.flatMap((text) => parseAddress(text) ?? []),
    ports: namedPorts(ports),
  };
}
