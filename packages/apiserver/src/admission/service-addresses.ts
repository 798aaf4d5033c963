import { randomInt } from 'node:crypto';
import { invalid, invalidValue, type Service, type ServiceSpec } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { as } from '../registry/api-object.ts';
import type { ObjectCache } from '../registry/object-cache.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const nodePortMin = 30_000;
const nodePortMax = 32_767;

/** Gives services their cluster IP and node ports. */
export class ServiceAddresses implements AdmissionPlugin {
  readonly name = 'ServiceAddresses';
  readonly #services: ObjectCache<Service>;
  readonly #range: Ipv4Range;

  constructor(services: ObjectCache<Service>, range: string) {
    this.#services = services;
    this.#range = parseRange(range);
  }

  admit({ operation, resource, subresource, object, previous }: AdmissionRequest): void {
    if (resource.keyPrefix !== '/services/' || subresource !== '' || !object) return;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return;
    const service = as<Service>(object);
    const spec: ServiceSpec = service.spec ?? {};
    service.spec = spec;
    const before: ServiceSpec | undefined = previous && as<Service>(previous).spec;
    spec.type ||= 'ClusterIP';
    if (spec.type === 'ExternalName') return;
    // A PUT or patch that leaves the address out keeps it.
    spec.clusterIP ||= before?.clusterIP || this.#allocate(service);
    spec.clusterIPs = [spec.clusterIP];
    spec.ipFamilies ??= ['IPv4'];
    spec.ipFamilyPolicy ||= 'SingleStack';
    if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') this.#fillNodePorts(service, before);
  }

  #allocate({ metadata }: Service): string {
    const used = new Set([...this.#services.values()].map(({ spec }) => spec?.clusterIP));
    for (let attempt = 0; attempt < limits.allocationAttemptsMax; attempt += 1) {
      // The first address is the `kubernetes` service's, the last would be a broadcast address.
      const address = formatAddress(this.#range.first + randomInt(2, this.#range.size - 1));
      if (!used.has(address)) return address;
    }
    const error = invalidValue('spec.clusterIPs', [], 'failed to allocate IP: the range is (nearly) full');
    throw invalid({ group: '', kind: 'Service' }, metadata?.name ?? '', [error]);
  }

  #fillNodePorts({ spec, metadata }: Service, before: ServiceSpec | undefined): void {
    const used = new Set<number | undefined>();
    for (const other of this.#services.values())
      for (const { nodePort } of other.spec?.ports ?? []) used.add(nodePort);
    for (const port of spec?.ports ?? []) {
      port.nodePort ||=
        before?.ports?.find((old) => old.port === port.port && old.protocol === port.protocol)?.nodePort ?? 0;
      for (let attempt = 0; !port.nodePort && attempt < limits.allocationAttemptsMax; attempt += 1) {
        const candidate = randomInt(nodePortMin, nodePortMax + 1);
        if (!used.has(candidate)) port.nodePort = candidate;
      }
      if (port.nodePort) used.add(port.nodePort);
      else
        throw invalid({ group: '', kind: 'Service' }, metadata?.name ?? '', [
          invalidValue('spec.ports', [], 'no node port is free'),
        ]);
    }
  }
}

interface Ipv4Range {
  first: number;
  size: number;
}

/** Throws on anything but an IPv4 CIDR of at least four addresses. */
export function parseRange(text: string): Ipv4Range {
  const [address = '', bits = ''] = text.split('/');
  const numbers = address.split('.').map(Number);
  const prefix = Number(bits);
  const isGood =
    numbers.length === 4 && numbers.every((part) => part >= 0 && part <= 255) && prefix >= 8 && prefix <= 30;
  if (!isGood) throw new Error(`service range "${text}": want an IPv4 network such as 10.96.0.0/16`);
  const size = 2 ** (32 - prefix);
  const value = numbers.reduce((sum, part) => sum * 256 + part, 0);
  return { first: value - (value % size), size };
}

/** The address that the `kubernetes` service has in a range. */
export function firstServiceAddress(range: string): string {
  return formatAddress(parseRange(range).first + 1);
}

function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
