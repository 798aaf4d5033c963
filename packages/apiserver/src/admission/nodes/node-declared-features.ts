import type { Pod } from '@wherry/kubeapi';
import { featuresNeededForChange, undeclaredFeatures } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Refuses changes of a pod that its node does not declare to follow (upstream: plugin/pkg/admission/nodedeclaredfeatures). */
export function nodeDeclaredFeatureValidator({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    handles: [{ operations: ['UPDATE'], resources: ['/pods', '/pods/resize'] }],
    validate(request) {
      const pod = as<Pod>(request.object!);
      const before = as<Pod>(request.previous!);
      const nodeName = pod.spec?.nodeName;
      if (!nodeName || pod.metadata.generation === before.metadata.generation) return;
      const needed = featuresNeededForChange(pod, before);
      if (needed.length === 0) return;
      const node = caches.nodes.get(nodeName);
      if (!node) throw refused(request, `node ${JSON.stringify(nodeName)} not found`);
      const missing = undeclaredFeatures(needed, node);
      if (missing.length === 0) return;
      const where = `not available on node ${JSON.stringify(nodeName)}`;
      throw refused(request, `pod update requires features ${missing.join(', ')} which are ${where}`);
    },
  };
}
