import type { Pod } from '@wherry/kubeapi';
import { type AddressFamily, familyOf } from '@wherry/linux';
import { isFinished, isSidecar } from '@wherry/podrules';

/** A protocol that ports have. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP';

const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];

/** Whether ports may have it. */
export const isProtocol = (text: string): text is Protocol => protocols.includes(text);

/** A port that has a name. */
export interface NamedPort {
  name: string;
  protocol: Protocol;
  port: number;
}

/** What network policies look at in a pod. */
export interface PodFacts {
  namespace: string;
  labels: Readonly<Record<string, string>>;
  /** Of the family that is judged. */
  address: string;
  isLocal: boolean;
  ports: readonly NamedPort[];
  /** When it was created: of two pods that say they have one address, the later one has it. */
  created: string;
}

/** Undefined for a pod that has no address of the family of its own: on the host's network, without a sandbox yet, or over. */
export function podFactsOf(pod: Pod, nodeName: string, family: AddressFamily): PodFacts | undefined {
  const { metadata, spec, status } = pod;
  if (spec?.hostNetwork || isFinished(pod)) return undefined;
  const addresses = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  const address = addresses.find((text) => text && familyOf(text) === family);
  if (!address) return undefined;
  return {
    namespace: metadata?.namespace ?? '',
    labels: metadata?.labels ?? {},
    address,
    isLocal: spec?.nodeName === nodeName,
    ports: namedPortsOf(pod),
    created: metadata?.creationTimestamp ?? '',
  };
}

/** Of two ports of one name and protocol the first container's counts, sidecars last. */
function namedPortsOf({ spec }: Pod): NamedPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(isSidecar);
  const found = new Map<string, NamedPort>();
  for (const { ports = [] } of [...(spec?.containers ?? []), ...sidecars]) {
    for (const { name, protocol = 'TCP', containerPort: port } of ports) {
      const key = `${protocol} ${name}`;
      if (name && port && isProtocol(protocol) && !found.has(key)) found.set(key, { name, protocol, port });
    }
  }
  return [...found.values()];
}
