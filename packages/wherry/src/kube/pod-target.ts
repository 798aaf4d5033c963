import { setTimeout as delay } from 'node:timers/promises';
import { type ForwardKind, type ForwardTarget, type KubeClient, kinds, resolveTarget } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { limits } from '../limits.ts';

const kindByName: Record<string, ForwardKind> = {
  po: 'pod',
  pod: 'pod',
  pods: 'pod',
  svc: 'service',
  service: 'service',
  services: 'service',
  deploy: 'deployment',
  deployment: 'deployment',
  deployments: 'deployment',
  rs: 'replicaset',
  replicaset: 'replicaset',
  replicasets: 'replicaset',
  sts: 'statefulset',
  statefulset: 'statefulset',
  statefulsets: 'statefulset',
  ds: 'daemonset',
  daemonset: 'daemonset',
  daemonsets: 'daemonset',
  job: 'job',
  jobs: 'job',
};

/** Reads `POD` or `TYPE/NAME`. */
export function parseTarget(text: string, namespace: string | undefined): ForwardTarget {
  const [first = '', second, ...rest] = text.split('/');
  if (second === undefined) return { kind: 'pod', name: first, namespace };
  const kind = kindByName[first.toLowerCase().replace(/\..*$/, '')];
  if (!kind || second === '' || rest.length > 0) {
    throw new CommandError(`"${text}" is neither a pod nor TYPE/NAME of something that has pods`);
  }
  return { kind, name: second, namespace };
}

/** The pod that a target stands for. */
export async function findPod(client: KubeClient, target: ForwardTarget): Promise<Pod> {
  return (await resolveTarget(client, target)).pod;
}

/** Waits until the pod runs or has ended. Throws `CommandError` after `timeoutMs`. */
export async function waitForStart(
  client: KubeClient,
  target: ForwardTarget,
  timeoutMs: number,
): Promise<Pod> {
  const deadline = performance.now() + timeoutMs;
  let pod = await findPod(client, target);
  while (pod.status?.phase === 'Pending' || pod.status?.phase === undefined) {
    if (performance.now() > deadline) {
      throw new CommandError(`timed out waiting for pod "${pod.metadata.name}" to run`);
    }
    await delay(limits.podPollMs);
    const { name = '', namespace } = pod.metadata;
    pod = await client.resource(kinds.pods).get({ name, namespace });
  }
  return pod;
}
