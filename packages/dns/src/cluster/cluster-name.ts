import { isIP } from 'node:net';
import type { ClusterIndex } from './cluster-index.ts';
import { parseAddress } from './endpoints.ts';
import type { Found } from './service-entry.ts';

/** What there is at a name of the cluster, and the name below which its endpoints' labels stand. */
export interface FoundName {
  found: Found;
  service: string;
}

const nothing: FoundName = { found: { targets: [] }, service: '' };

/**
 * Looks a name up by its labels before the cluster's domain; undefined when there is none. The schema is that of
 * Kubernetes' DNS specification 1.1.0:
 * `SERVICE.NAMESPACE.svc`, `ENDPOINT.SERVICE.NAMESPACE.svc`, `_PORT._PROTOCOL.SERVICE.NAMESPACE.svc`, `1-2-3-4.NAMESPACE.pod`.
 */
export function lookUp(index: ClusterIndex, labels: readonly string[]): FoundName | undefined {
  const [group, namespace, name, ...more] = labels.toReversed();
  if (group === undefined) return nothing;
  if (group !== 'svc' && group !== 'pod') return undefined;
  if (namespace === undefined) return nothing;
  if (!index.hasNamespace(namespace)) return undefined;
  if (name === undefined) return nothing;
  if (group === 'pod') return more.length === 0 ? podAddress(name) : undefined;
  if (more.length > 2) return undefined;
  const [first = '', second = ''] = more;
  const asked =
    more.length === 2
      ? { endpoint: '', protocol: withoutUnderscore(first), port: withoutUnderscore(second) }
      : { endpoint: first, protocol: '', port: '' };
  const found = index.service(name, namespace)?.find(asked);
  return found && { found, service: `${name}.${namespace}.svc` };
}

const withoutUnderscore = (label: string) => (label.startsWith('_') ? label.slice(1) : label);

/** The address that the name itself says, whether or not a pod has it (CoreDNS' `pods insecure`, which kubeadm sets). */
function podAddress(name: string): FoundName | undefined {
  const isV4 = /^\d+-\d+-\d+-\d+$/.test(name);
  const text = name.replaceAll('-', isV4 ? '.' : ':');
  const address = isIP(text) ? parseAddress(text) : undefined;
  return address && { found: { targets: [{ ...address, hostname: '', ports: [] }] }, service: '' };
}
