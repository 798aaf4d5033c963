import type { CriClient } from '@wherry/cri';
import type { NodeLayout } from '../layout/layout.ts';
import { limits } from '../limits.ts';
import { socketAnswers } from '../processes/probes.ts';

/** What ending the pods came to. */
export interface EndedPods {
  pods: number;
  /** One line per pod that would not end; what is left of it is killed by its cgroup. */
  failures: string[];
}

/**
 * Stops every container within `graceSeconds`, then every sandbox; with `remove` their records go as well.
 * Undefined when no runtime answers.
 */
export async function endPods(
  layout: NodeLayout,
  remove: boolean,
  graceSeconds: number = limits.containerStopTimeoutSeconds,
): Promise<EndedPods | undefined> {
  if (!(await socketAnswers(layout.criSocket))) return undefined;
  const { ContainerState, createCriClient } = await import('@wherry/cri');
  const client = createCriClient(layout.criSocket);
  try {
    const { containers } = await client.runtime.listContainers({
      filter: { state: { state: ContainerState.CONTAINER_RUNNING } },
    });
    await Promise.allSettled(
      containers.map(({ id }) => client.runtime.stopContainer({ containerId: id, timeout: graceSeconds })),
    );
    const { items } = await client.runtime.listPodSandbox({});
    const ends = await Promise.allSettled(items.map(({ id }) => endSandbox(client, id, remove)));
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason as Error)] : []));
    return { pods: items.length, failures };
  } finally {
    client.close();
  }
}

async function endSandbox(client: CriClient, podSandboxId: string, remove: boolean): Promise<void> {
  await client.runtime.stopPodSandbox({ podSandboxId });
  if (remove) await client.runtime.removePodSandbox({ podSandboxId });
}
