import type { EndpointSlice, Service } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';

/** A service, and in a few words what of it is left out; undefined where nothing is. */
export interface BoundedService {
  service: Service;
  leftOut: string | undefined;
}

/**
 * A service whose addresses, ports and endpoints make no more of each other than one process and the kernel hold: each of the addresses is led with each of
 * the ports to each of the endpoints. One that has more is led by its first external addresses, and by its first ports.
 */
export function boundedService(service: Service, slices: readonly EndpointSlice[]): BoundedService {
  const { spec = {}, status } = service;
  const { externalIPs = [], ports = [] } = spec;
  const endpoints = slices.reduce((sum, slice) => sum + (slice.endpoints?.length ?? 0), 0);
  const kept = externalIPs.slice(0, limits.externalAddressesMax);
  const own = (spec.clusterIPs?.length ?? 1) + (status?.loadBalancer?.ingress?.length ?? 0) + 1;
  const portsMax = Math.max(
    1,
    Math.floor(limits.serviceElementsMax / (own + kept.length) / Math.max(1, endpoints)),
  );
  const words = [
    ...(kept.length < externalIPs.length ? [`${externalIPs.length - kept.length} external addresses`] : []),
    ...(portsMax < ports.length ? [`${ports.length - portsMax} ports`] : []),
  ];
  if (words.length === 0) return { service, leftOut: undefined };
  const bounded = { ...spec, externalIPs: kept, ports: ports.slice(0, portsMax) };
  return { service: { ...service, spec: bounded }, leftOut: words.join(' and ') };
}
