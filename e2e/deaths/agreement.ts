import { ContainerState, type CriClient } from '@wherry/cri';
import type { Pod } from '@wherry/kubeapi';

/** What the API server says of pods otherwise than the container runtime; nothing when they agree. */
export async function disagreements(pods: readonly Pod[], cri: CriClient): Promise<string[]> {
  const filter = { state: { state: ContainerState.CONTAINER_RUNNING } };
  const { containers } = await cri.runtime.listContainers({ filter });
  const found = containers
    .filter(({ labels }) => !pods.some(({ metadata }) => metadata.uid === labels[uidLabel]))
    .map(({ labels }) => `a container of pod ${labels[podLabel]}, which is gone, runs`);
  for (const pod of pods) {
    const { name, uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) found.push(`pod ${name} was deleted and is still there`);
    if (!pod.status?.phase) found.push(`pod ${name} has no status`);
    const running = new Set(
      containers.filter(({ labels }) => labels[uidLabel] === uid).map(({ id }) => `wherry://${id}`),
    );
    const told = (pod.status?.containerStatuses ?? []).flatMap(({ state, containerID }) =>
      state?.running ? [containerID ?? ''] : [],
    );
    for (const id of told) if (!running.has(id)) found.push(`${name}: ${id} is said to run, and does not`);
    for (const id of running) if (!told.includes(id)) found.push(`${name}: ${id} runs, and is not said to`);
  }
  return found;
}

const uidLabel = 'io.kubernetes.pod.uid';
const podLabel = 'io.kubernetes.pod.name';
