import { invalid, invalidValue, type Pod } from '@wherry/kubeapi';
import { amountsOf, computeQualityOfService, podAmount, qualityOfService, unitsOf } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

const handles: AdmissionPlugin['handles'] = [{ operations: ['UPDATE'], resources: ['/pods/resize'] }];

/** Refuses resizes that the pod's node could never give (upstream: plugin/pkg/admission/podresize). */
export function podResize({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    handles,
    validate(request) {
      const pod = as<Pod>(request.object!);
      const nodeName = pod.spec?.nodeName;
      if (!nodeName || pod.metadata.generation === request.previous?.metadata.generation) return;
      const node = caches.nodes.get(nodeName);
      if (!node) throw refused(request, `node ${JSON.stringify(nodeName)} not found`);
      const os = new Map(Object.entries(node.metadata.labels ?? {})).get('kubernetes.io/os') ?? 'linux';
      if (os !== 'linux') {
        const subject = `node ${JSON.stringify(nodeName)} is ${JSON.stringify(os)}`;
        const why = `pod resize is only supported on linux nodes, ${subject}`;
        throw refused(request, why, { reason: 'UnsupportedPlatform' });
      }
      const allocatable = amountsOf(node.status?.allocatable);
      const excess = ['cpu', 'memory'].flatMap((resource) => {
        const wanted = podAmount(pod, 'requests', resource);
        const there = allocatable.get(resource);
        if (there ? wanted.cmp(there) <= 0 : wanted.sign() <= 0) return [];
        const room = there ? unitsOf(resource, there) : 0;
        return [`${resource}, requested: ${unitsOf(resource, wanted)}, allocatable: ${room}`];
      });
      if (excess.length === 0) return;
      const why = `node didn't have enough allocatable resources: ${excess.join('; ')}`;
      throw refused(request, why, { reason: 'NodeCapacity' });
    },
  };
}

/** A pod keeps its class for life: nodes have made its cgroup by it (upstream: ValidatePodResize). */
export function podResizeClass(): AdmissionPlugin {
  return {
    name: 'PodResizeClass',
    handles,
    validate({ object, previous }) {
      const pod = as<Pod>(object!);
      const before = qualityOfService(as<Pod>(previous!));
      if (computeQualityOfService(pod) === before) return;
      const detail = 'Pod QOS Class may not change as a result of resizing';
      throw invalid({ group: '', kind: 'Pod' }, pod.metadata.name ?? '', [
        invalidValue('spec', before, detail),
      ]);
    },
  };
}
