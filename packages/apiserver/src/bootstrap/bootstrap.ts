import { ensure, type FindCollection } from './ensure.ts';
import { bootstrapRights } from './rights.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** Beyond what users may ask for, as upstream. */
const priorityClasses = {
  'system-cluster-critical': [
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
  'system-node-critical': [
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
} as const;

/** Makes what every cluster has, where it is missing; adds what built-in roles and bindings lack. */
export async function bootstrap(collection: FindCollection): Promise<void> {
  for (const name of namespaces) await ensure(collection('', 'v1', 'namespaces'), { metadata: { name } });
  await bootstrapRights(collection);
  for (const [name, [value, description]] of Object.entries(priorityClasses)) {
    const priorityClass = {
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    };
    await ensure(collection('scheduling.k8s.io', 'v1', 'priorityclasses'), priorityClass);
  }
}
