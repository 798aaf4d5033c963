import type { KubeClient, KubeObject } from '@wherry/client';
import { deadline, systemClock } from '@wherry/clock';
import type { NodeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';
import { clusterDnsEndpoint, clusterDnsService } from './cluster-dns.ts';
import { networkRole, networkRoleBinding } from './network-access.ts';

/** The whole cluster's: the node that serves it applies them. */
const clusterAddons: readonly KubeObject[] = [networkRole, networkRoleBinding, clusterDnsService];

/** Objects that a cluster has from its start on, beyond what the API server itself makes (kubeadm: addons). */
const addonsOf = (record: NodeRecord): readonly KubeObject[] => [
  ...(record.joins === undefined ? clusterAddons : []),
  clusterDnsEndpoint(record),
];

/** Applies them as the administrator; what is there already stays or becomes so again. */
export async function installAddons(client: KubeClient, record: NodeRecord): Promise<void> {
  await Promise.all(
    addonsOf(record).map((addon) => client.apply(addon, { fieldManager: 'wherry-addons', force: true })),
  );
}

/** Whether the API server answers, and the node that serves the cluster has applied what is the whole cluster's. */
export async function hasAddons(client: KubeClient): Promise<boolean> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.probeTimeoutMs });
  try {
    await Promise.all(
      clusterAddons.map(({ apiVersion, kind, metadata }) =>
        client.get(
          { apiVersion, kind, name: metadata?.name ?? '', namespace: metadata?.namespace },
          { signal: limit.signal },
        ),
      ),
    );
    return true;
  } catch {
    return false;
  }
}
