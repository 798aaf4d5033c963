import type { InformerHandlers } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi/objects';

/**
 * The namespaces of pods by their addresses: of those whose resolver is the cluster's as the kubelet makes it, without
 * words of their own, so that it is known which names they try one after the other.
 */
export class PodSearches {
  readonly #owners = new Map<string, { namespace: string; uid: string }>();

  readonly pods: InformerHandlers<Pod> = {
    added: (pod) => this.#set(pod),
    updated: (pod, previous) => {
      this.#forget(previous);
      this.#set(pod);
    },
    deleted: (pod) => this.#forget(pod),
  };

  /** The namespace of the pod that has the address; undefined where its search path is not known. */
  namespaceOf(ip: string): string | undefined {
    return this.#owners.get(ip)?.namespace;
  }

  #set(pod: Pod): void {
    const { spec, status, metadata } = pod;
    if (spec?.hostNetwork || spec?.dnsConfig || (spec?.dnsPolicy ?? 'ClusterFirst') !== 'ClusterFirst')
      return;
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return;
    const { namespace = '', uid = '' } = metadata;
    for (const ip of addressesOf(pod)) this.#owners.set(ip, { namespace, uid });
  }

  #forget(pod: Pod): void {
    for (const ip of addressesOf(pod))
      if (this.#owners.get(ip)?.uid === pod.metadata.uid) this.#owners.delete(ip);
  }
}

function addressesOf({ status }: Pod): string[] {
  const { podIP, podIPs = [] } = status ?? {};
  return [...new Set([...podIPs.map(({ ip }) => ip), podIP])].filter((ip) => ip !== undefined);
}
