import { type ForwardKind, type ForwardTarget, findTargetPods, type KubeClient, kinds } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { ownValue, type Pod } from '@wherry/kubeapi';
import { waitOf, waitText } from '@wherry/podrules/pod-wait';
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
  rc: 'replicationcontroller',
  replicationcontroller: 'replicationcontroller',
  replicationcontrollers: 'replicationcontroller',
  sts: 'statefulset',
  statefulset: 'statefulset',
  statefulsets: 'statefulset',
  ds: 'daemonset',
  daemonset: 'daemonset',
  daemonsets: 'daemonset',
  job: 'job',
  jobs: 'job',
};

/** Reads `POD` or `TYPE/NAME`; the type may carry version and group (`deployments.v1.apps/web`). */
export function parseTarget(text: string, namespace: string | undefined): ForwardTarget {
  const [first = '', second, ...rest] = text.split('/');
  if (second === undefined) return { kind: 'pod', name: first, namespace };
  if (rest.length > 0) {
    throw new CommandError('arguments in resource/name form may not have more than one slash');
  }
  if (first === '' || second === '') {
    throw new CommandError(`arguments in resource/name form must have a single resource and name`);
  }
  const kind = ownValue(kindByName, first.toLowerCase().replace(/\..*$/, ''));
  if (kind) return { kind, name: second, namespace };
  throw new CommandError(
    `"${first}" is not a type that pods can be found by: ${[...new Set(Object.values(kindByName))].join(', ')}`,
  );
}

/** All pods behind a target, the best first; waits until there is one. Throws `CommandError` after `timeoutMs`. */
export async function findPods(
  client: KubeClient,
  target: ForwardTarget,
  timeoutMs: number,
): Promise<[Pod, ...Pod[]]> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const { pods, labelSelector } = await findTargetPods(client, target);
    const [first, ...more] = pods;
    if (first) return [first, ...more];
    if (systemClock.monotonicMs() > deadline) {
      throw new CommandError(
        `timed out waiting for a pod behind ${target.kind} "${target.name}" (selector "${labelSelector}")`,
      );
    }
    await sleep({ clock: systemClock, delayMs: limits.podPollMs });
  }
}

/** The pod that a target stands for, as {@link findPods}. */
export async function findPod(client: KubeClient, target: ForwardTarget, timeoutMs: number): Promise<Pod> {
  return (await findPods(client, target, timeoutMs))[0];
}

/** Waits until the pod runs or has ended. Throws `CommandError` after `timeoutMs`. */
export async function waitForStart(
  client: KubeClient,
  target: ForwardTarget,
  timeoutMs: number,
): Promise<Pod> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  let pod = await findPod(client, target, timeoutMs);
  while (pod.status?.phase === 'Pending' || pod.status?.phase === undefined) {
    if (systemClock.monotonicMs() > deadline) {
      throw new CommandError(`timed out waiting for pod "${pod.metadata.name}" to run${whyNot(pod)}`);
    }
    await sleep({ clock: systemClock, delayMs: limits.podPollMs });
    const { name = '', namespace } = pod.metadata;
    pod = await client.resource(kinds.pods).get({ name, namespace });
  }
  return pod;
}

function whyNot(pod: Pod): string {
  const wait = waitOf(pod, []);
  return wait ? `; it waits for: ${waitText(wait)}` : '';
}
