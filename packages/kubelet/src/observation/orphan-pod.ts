import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { restoredContainer } from '../pod/labels.ts';
import { containerNameOf, type PodRecord } from './pod-record.ts';

/** A pod known from the runtime alone, rebuilt as far as is needed to stop it. */
export function orphanPod({ uid, name, namespace, containers }: PodRecord): AssignedPod {
  const byName = new Map<string, Container>();
  for (const status of containers) {
    const restored = restoredContainer(containerNameOf(status), status.annotations);
    const container: Container = { ...restored, image: status.image?.image ?? '' };
    if (!byName.has(container.name)) byName.set(container.name, container);
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid, name, namespace },
    spec: { containers: [...byName.values()] },
  };
}
