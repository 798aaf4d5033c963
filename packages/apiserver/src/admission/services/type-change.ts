import { isDeepStrictEqual } from 'node:util';
import type { ServiceSpec } from '@wherry/kubeapi';

/** Services of this kind have a cluster IP, be it `None`. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

/** Services of this kind have a port on every node. */
export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

/** Load balancers that lead to local pods alone ask nodes for their health. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

/** Services of these kinds may have a port on every node. */
export function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function isExternal({ type, externalIPs = [] }: ServiceSpec): boolean {
  return mayHaveNodePorts({ type } as ServiceSpec) || (type === 'ClusterIP' && externalIPs.length > 0);
}

/**
 * Takes off what the service's new type does not have and the client has not changed, since the server has set it once
 * itself (upstream: dropTypeDependentFields).
 */
export function dropForeignFields(next: ServiceSpec, previous: ServiceSpec): void {
  const isSame = (field: keyof ServiceSpec) => isDeepStrictEqual(next[field], previous[field]);
  const drop = (field: keyof ServiceSpec) => {
    if (isSame(field)) delete next[field];
  };
  if (needsClusterIp(previous) && !needsClusterIp(next)) {
    if (isSame('clusterIP') && isSame('clusterIPs')) {
      delete next.clusterIP;
      delete next.clusterIPs;
    }
    drop('ipFamilies');
    drop('ipFamilyPolicy');
  }
  if (mayHaveNodePorts(previous) && !mayHaveNodePorts(next) && hasSameNodePorts(next, previous)) {
    for (const port of next.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheckPort(previous) && !needsHealthCheckPort(next)) drop('healthCheckNodePort');
  if (previous.type === 'LoadBalancer' && next.type !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts');
    drop('loadBalancerClass');
  }
  if (isExternal(previous) && !isExternal(next)) drop('externalTrafficPolicy');
}

function hasSameNodePorts(next: ServiceSpec, previous: ServiceSpec): boolean {
  const ports = ({ ports: list = [] }: ServiceSpec) => new Set(list.map(({ nodePort }) => nodePort ?? 0));
  const before = ports(previous);
  return [...ports(next)].every((port) => port === 0 || before.has(port));
}

/** What only a name stands for has no policy for the traffic within the cluster (upstream: defaultOnReadInternalTrafficPolicy). */
export function dropInternalPolicy(spec: ServiceSpec): void {
  const isSound = spec.internalTrafficPolicy === 'Cluster' || spec.internalTrafficPolicy === 'Local';
  if (spec.type === 'ExternalName' && isSound) delete spec.internalTrafficPolicy;
}

/** Clients that know only one address of a service mean the list by it (upstream: normalizeClusterIPs). */
export function alignAddresses(next: ServiceSpec, previous: ServiceSpec | undefined): void {
  if (!previous) {
    if (next.clusterIP && !next.clusterIPs?.length) next.clusterIPs = [next.clusterIP];
    return;
  }
  const isSame = (next.clusterIP ?? '') === (previous.clusterIP ?? '');
  if (isSame && previous.clusterIPs?.length && !next.clusterIPs?.length)
    next.clusterIPs = previous.clusterIPs;
  if (isSame || !isDeepStrictEqual(next.clusterIPs ?? [], previous.clusterIPs ?? [])) return;
  if (next.clusterIP) next.clusterIPs = [next.clusterIP];
  else delete next.clusterIPs;
}

/** Brings along what the server gave and a PUT or patch leaves out (upstream: patchAllocatedValues). */
export function keepAllocated(next: ServiceSpec, previous: ServiceSpec): void {
  if (needsClusterIp(previous) && needsClusterIp(next)) {
    if (!next.clusterIP && previous.clusterIP) next.clusterIP = previous.clusterIP;
    if (!next.clusterIPs?.length && previous.clusterIPs) next.clusterIPs = previous.clusterIPs;
  }
  if (needsNodePorts(previous) && needsNodePorts(next)) keepNodePorts(next, previous);
  if (needsHealthCheckPort(previous) && needsHealthCheckPort(next) && previous.healthCheckNodePort) {
    next.healthCheckNodePort ||= previous.healthCheckNodePort;
  }
}

/** A port is known by its name, whatever else of it has changed; what another one is given now is not brought along. */
function keepNodePorts({ ports = [] }: ServiceSpec, { ports: known = [] }: ServiceSpec): void {
  const stay = new Set(ports.map(({ nodePort }) => nodePort ?? 0));
  const byName = new Map(known.map(({ name, nodePort }) => [name ?? '', nodePort ?? 0]));
  for (const port of ports) {
    const kept = port.nodePort ? 0 : (byName.get(port.name ?? '') ?? 0);
    if (kept && !stay.has(kept)) port.nodePort = kept;
  }
}
