import type { Pod } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, refused } from '../admission.ts';

const hostname = 'kubernetes.io/hostname';

/** A pod may keep others from its node, and from nothing larger. */
export function limitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    validate(request) {
      const { podAntiAffinity } = as<Pod>(request.object!).spec?.affinity ?? {};
      const terms = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const other = terms.find(({ topologyKey }) => topologyKey !== hostname);
      if (!other) return;
      const what = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey}`;
      throw refused(request, `${what} but only key ${hostname} is allowed`);
    },
  };
}
