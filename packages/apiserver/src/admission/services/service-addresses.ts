import { randomInt } from 'node:crypto';
import {
  canonicalAddress,
  type FieldError,
  type IPAddress,
  invalid,
  invalidValue,
  type Service,
  type ServiceSpec,
  serverTimeout,
} from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import { as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRule } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { isManagedAddress } from './address-object.ts';
import { anyAddress, type IpFamily } from './address-range.ts';
import { AllocationTurns } from './allocation-turn.ts';
import { keepsPreference, settleFamilies } from './ip-families.ts';
import { addressThing, portThing, ServiceLedger } from './ledger.ts';
import { ServiceRanges } from './service-ranges.ts';
import {
  alignAddresses,
  dropForeignFields,
  keepAllocated,
  mayHaveNodePorts,
  needsHealthCheckPort,
  needsNodePorts,
} from './type-change.ts';

const nodePortMin = 30_000;
const nodePortMax = 32_767;

/** Gives services their cluster IP and node ports, and refuses those that others have (upstream: registry/core/service). */
export const serviceAddresses = (
  parts: Pick<PluginParts, 'caches' | 'serviceRange' | 'isStoreShared' | 'clock'>,
): AdmissionPlugin => new ServiceAddresses(parts);

class ServiceAddresses implements AdmissionPlugin {
  readonly name = 'ServiceAddresses';
  readonly handles: readonly AdmissionRule[] = [
    { operations: ['CREATE', 'UPDATE'], resources: ['/services'] },
  ];
  readonly #ledger: ServiceLedger;
  readonly #ranges: ServiceRanges;
  readonly #addresses: ObjectCache<IPAddress>;
  /** Present where other servers give out addresses and ports, too. */
  readonly #turns: AllocationTurns | undefined;
  /** What requests have taken that are under way; kept where there are turns. */
  readonly #allocations = new WeakMap<AdmissionRequest, Allocation>();

  constructor(parts: Pick<PluginParts, 'caches' | 'serviceRange' | 'isStoreShared' | 'clock'>) {
    const { services, serviceCidrs, ipAddresses } = parts.caches;
    this.#turns = parts.isStoreShared ? new AllocationTurns(parts) : undefined;
    this.#ledger = new ServiceLedger(services);
    this.#ranges = new ServiceRanges(serviceCidrs, parts.serviceRange);
    this.#addresses = ipAddresses;
  }

  admit(request: AdmissionRequest): void {
    const { previous } = request;
    const service = as<Service>(request.object!);
    const spec: ServiceSpec = service.spec ?? {};
    service.spec = spec;
    const before: ServiceSpec | undefined = previous && as<Service>(previous).spec;
    spec.type ||= 'ClusterIP';
    if (before) {
      dropForeignFields(spec, before);
      keepAllocated(spec, before);
    }
    alignAddresses(spec, before);
    const { namespace = '', name = '' } = service.metadata ?? {};
    const allocation = new Allocation(this.#ledger, `${namespace}/${name}`, request);
    if (spec.type !== 'ExternalName') this.#settleAddresses(spec, before, allocation);
    settlePorts(spec, before, allocation);
    if (allocation.errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, allocation.errors);
    if (this.#turns) this.#allocations.set(request, allocation);
  }

  /** Stores with the service that nobody else has given out anything meanwhile. Throws 500, to be tried again, if they have. */
  async validate(request: AdmissionRequest): Promise<void> {
    const allocation = this.#allocations.get(request);
    if (!this.#turns || !allocation?.hasTaken || request.dryRun) return;
    await this.#turns.begin(request);
    if (allocation.isOutdated()) throw serverTimeout({ group: '', resource: 'services' }, 'create');
    this.#turns.store(request);
  }

  #settleAddresses(spec: ServiceSpec, before: ServiceSpec | undefined, allocation: Allocation): void {
    if (keepsPreference(spec, before)) return;
    allocation.errors.push(...settleFamilies(spec, before, this.#ranges.families));
    if (allocation.errors.length > 0 || spec.clusterIP === 'None') return;
    const { clusterIPs: wanted = [], ipFamilies = [] } = spec;
    // What a service has stays: validation refuses a change of it.
    const kept = before && before.type !== 'ExternalName' ? (before.clusterIPs ?? [before.clusterIP]) : [];
    spec.clusterIPs = ipFamilies.map((family, index) => {
      const address = wanted[index];
      if (!address) return this.#freeAddress(family as IpFamily, allocation);
      if (kept[index] === undefined) this.#takeAddress(address, spec, allocation);
      return address;
    });
    spec.clusterIP = spec.clusterIPs[0] ?? '';
  }

  #takeAddress(address: string, { clusterIPs }: ServiceSpec, allocation: Allocation): void {
    const refuse = (why: string) => {
      const detail = `failed to allocate IP ${address}: ${why}`;
      allocation.errors.push(invalidValue('spec.clusterIPs', clusterIPs ?? [address], detail));
    };
    if (!this.#ranges.includes(address)) refuse(this.#ranges.whyNot(address));
    else if (!this.#take(address, allocation)) refuse('provided IP is already allocated');
  }

  /** An IPAddress that somebody has made by hand is nobody else's; those of services only say what services do. */
  #take(address: string, allocation: Allocation): boolean {
    const object = this.#addresses.get(canonicalAddress(address));
    if (object && !isManagedAddress(object)) return false;
    return allocation.take(addressThing(address));
  }

  #freeAddress(family: IpFamily, allocation: Allocation): string {
    for (const range of this.#ranges.of(family)) {
      for (let attempt = 0; attempt < limits.allocationAttemptsMax; attempt += 1) {
        const address = anyAddress(range);
        if (address === undefined) break;
        if (this.#take(address, allocation)) return address;
      }
    }
    const detail = 'failed to allocate IP: the range is (nearly) full';
    allocation.errors.push(invalidValue('spec.clusterIPs', [], detail));
    return '';
  }
}

/** What one write takes, and what is wrong with it. */
class Allocation {
  readonly errors: FieldError[] = [];
  readonly #ledger: ServiceLedger;
  readonly #owner: string;
  readonly #request: AdmissionRequest;
  readonly #taken: string[] = [];

  constructor(ledger: ServiceLedger, owner: string, request: AdmissionRequest) {
    this.#ledger = ledger;
    this.#owner = owner;
    this.#request = request;
  }

  /** False when another service has it; otherwise nobody else gets it until this write is over. */
  take(thing: string): boolean {
    if (this.#ledger.isTaken(thing, this.#owner)) return false;
    this.#request.onSettled(this.#ledger.take(thing, this.#owner));
    this.#taken.push(thing);
    return true;
  }

  get hasTaken(): boolean {
    return this.#taken.length > 0;
  }

  /** Another server has given one of the things to somebody else. */
  isOutdated(): boolean {
    return this.#taken.some((thing) => this.#ledger.isStored(thing, this.#owner));
  }
}

/** Whether a service of its type must, and may, have a port. */
interface PortNeed {
  needed: boolean;
  allowed: boolean;
}

function settlePorts(spec: ServiceSpec, before: ServiceSpec | undefined, allocation: Allocation): void {
  const kept = new Set([
    ...(before?.ports ?? []).map(({ nodePort }) => nodePort),
    before?.healthCheckNodePort,
  ]);
  const own = new Set<number>();
  const settle = (wanted: number | undefined, field: string, { needed, allowed }: PortNeed) => {
    // What the type can't have is left to validation.
    if (!allowed || (!wanted && !needed)) return wanted;
    // One service may have a port for several protocols.
    if (wanted && !kept.has(wanted) && !own.has(wanted)) takePort(wanted, field, allocation);
    const port = wanted || freePort(own, allocation);
    if (port) own.add(port);
    return port;
  };
  const ports = { needed: needsNodePorts(spec), allowed: mayHaveNodePorts(spec) };
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const nodePort = settle(port.nodePort, `spec.ports[${index}].nodePort`, ports);
    if (nodePort) port.nodePort = nodePort;
  }
  const isChecked = needsHealthCheckPort(spec);
  const health = { needed: isChecked, allowed: isChecked };
  const healthCheck = settle(spec.healthCheckNodePort, 'spec.healthCheckNodePort', health);
  if (healthCheck) spec.healthCheckNodePort = healthCheck;
}

function takePort(port: number, field: string, allocation: Allocation): void {
  if (port < nodePortMin || port > nodePortMax) {
    const range = `The range of valid ports is ${nodePortMin}-${nodePortMax}`;
    const detail = `provided port is not in the valid range. ${range}`;
    allocation.errors.push(invalidValue(field, port, detail));
  } else if (!allocation.take(portThing(port))) {
    allocation.errors.push(invalidValue(field, port, 'provided port is already allocated'));
  }
}

function freePort(own: ReadonlySet<number>, allocation: Allocation): number | undefined {
  for (let attempt = 0; attempt < limits.allocationAttemptsMax; attempt += 1) {
    const port = randomInt(nodePortMin, nodePortMax + 1);
    if (!own.has(port) && allocation.take(portThing(port))) return port;
  }
  allocation.errors.push(invalidValue('spec.ports', [], 'no node port is free'));
  return undefined;
}
