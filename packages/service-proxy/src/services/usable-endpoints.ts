import type { AddressFamily } from '@wherry/linux';
import type { Endpoint } from './endpoints.ts';

/** This node, as hints of endpoints name it. */
export interface Place {
  family: AddressFamily;
  nodeName: string;
  zone: string | undefined;
  /** The node's own address of the family, if it has one. */
  nodeAddress: string | undefined;
  /** Whether an address is of the kind that the cluster itself gives out: those of pods and of services. */
  isOwn(address: string): boolean;
}

/** Which endpoints each traffic policy may use (upstream: pkg/proxy/topology.go). */
export interface UsableEndpoints {
  cluster: readonly Endpoint[];
  local: readonly Endpoint[];
}

/** Ready ones; where there are none, those that still serve while they end. */
export function usableEndpoints(
  endpoints: readonly Endpoint[],
  place: Pick<Place, 'nodeName' | 'zone'>,
): UsableEndpoints {
  return {
    cluster: readyElseServing(endpoints, (ready) => closest(ready, place)),
    local: readyElseServing(endpoints.filter(({ isLocal }) => isLocal)),
  };
}

function readyElseServing(
  endpoints: readonly Endpoint[],
  choose = (ready: readonly Endpoint[]) => ready,
): readonly Endpoint[] {
  const ready = endpoints.filter(({ isReady }) => isReady);
  if (ready.length > 0) return choose(ready);
  return endpoints.filter(({ isServingWhileTerminating }) => isServingWhileTerminating);
}

/** Hints count only where every endpoint has one and one of them names this place: the node first, then its zone. */
function closest(
  ready: readonly Endpoint[],
  { nodeName, zone }: Pick<Place, 'nodeName' | 'zone'>,
): readonly Endpoint[] {
  const hinted = (hintsOf: (endpoint: Endpoint) => readonly string[], name: string | undefined) => {
    if (name === undefined || ready.some((endpoint) => hintsOf(endpoint).length === 0)) return [];
    return ready.filter((endpoint) => hintsOf(endpoint).includes(name));
  };
  const onNode = hinted(({ nodeHints }) => nodeHints, nodeName);
  if (onNode.length > 0) return onNode;
  const inZone = hinted(({ zoneHints }) => zoneHints, zone);
  return inZone.length > 0 ? inZone : ready;
}
