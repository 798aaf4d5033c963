import type { StoredObject } from '../api/fake-api.ts';
import type { Random } from './random.ts';

const node = 'sim-node';
/** Containers that take so long to stop have an input that is to end once. */
const inputStopMs = 900;

/** Gives containers of one kind a probe that executes in them, without a draw: pods without it stay what they were. */
export function addProbes({ spec }: StoredObject): void {
  for (const container of (spec?.['containers'] ?? []) as Record<string, unknown>[]) {
    const [verb, stopMs] = container['command'] as string[];
    if (verb !== 'run' || Number(stopMs) >= inputStopMs) continue;
    container['livenessProbe'] = { exec: { command: ['exit', '0', '20', '0'] }, periodSeconds: 10 };
    // Does not end by itself: its time runs out.
    container['readinessProbe'] = { exec: { command: ['run', '100'] }, periodSeconds: 20 };
  }
}

/** A pod of some shape, bound to the node. */
export function randomPod(random: Random, name: string): StoredObject {
  const restartPolicy = random.pick(['Always', 'Always', 'OnFailure', 'Never']);
  const containers = Array.from({ length: random.between(1, 2) }, (_, index) =>
    container(random, `c${index}`),
  );
  const spec: Record<string, unknown> = {
    nodeName: node,
    restartPolicy,
    terminationGracePeriodSeconds: random.pick([1, 5, 30]),
    containers,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
  };
  if (random.chance(0.3)) spec['initContainers'] = initContainers(random);
  if (random.chance(0.3)) addConfig(spec, containers);
  if (random.chance(0.15)) spec['activeDeadlineSeconds'] = random.between(5, 60);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec,
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  } as unknown as StoredObject;
}

function container(random: Random, name: string) {
  const stopMs = random.pick([0, 10, inputStopMs, 100_000]);
  const command = random.chance(0.6)
    ? ['run', String(stopMs)]
    : ['exit', random.pick(['0', '0', '1']), String(random.pick([0, 20, 2_000, 30_000])), String(stopMs)];
  const input = stopMs === inputStopMs ? { stdin: true, stdinOnce: true } : {};
  return { name, image: 'example/image:1', imagePullPolicy: 'IfNotPresent', command, ...input };
}

function initContainers(random: Random) {
  const first = {
    name: 'i0',
    image: 'example/image:1',
    command: ['exit', random.pick(['0', '0', '0', '1']), '500', '0'],
  };
  const sidecar = { name: 's0', image: 'example/image:1', command: ['run', '10'], restartPolicy: 'Always' };
  return random.chance(0.4) ? [sidecar, first] : [first];
}

function addConfig(spec: Record<string, unknown>, containers: Record<string, unknown>[]): void {
  spec['volumes'] = [{ name: 'config', configMap: { name: 'settings', defaultMode: 0o644 } }];
  for (const each of containers) each['volumeMounts'] = [{ name: 'config', mountPath: '/config' }];
}
