import { type Pod, qualifiedName, type Toleration } from '@wherry/kubeapi';
import { isExtendedResource } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';

/** Pods that ask for an extended resource tolerate the taint that keeps others from its nodes. */
export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    admit({ object }) {
      const { spec } = as<Pod>(object!);
      if (!spec) return;
      const asked = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
        .flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
        .filter((name) => isExtendedResource(name) && qualifiedName(`requests.${name}`).length === 0);
      const keys = [...new Set(asked)].sort();
      if (keys.length > 0) spec.tolerations = keys.reduce(withToleration, spec.tolerations ?? []);
    },
  };
}

function withToleration(tolerations: Toleration[], key: string): Toleration[] {
  const wanted = { key, operator: 'Exists', effect: 'NoSchedule' } satisfies Toleration;
  const isIt = (other: Toleration) =>
    other.key === key && other.operator === 'Exists' && other.effect === 'NoSchedule' && !other.value;
  return tolerations.some(isIt)
    ? tolerations.map((other) => (isIt(other) ? { ...wanted } : other))
    : [...tolerations, wanted];
}
