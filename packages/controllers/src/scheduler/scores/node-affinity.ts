import type { PreferredSchedulingTerm } from '@wherry/kubeapi/objects';
import { nodePreference } from '@wherry/podrules';
import { type ScorePlugin, stretched } from './score-plugin.ts';

const preferredName = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The weights of the preferred node affinity that a node fits; `added` are every pod's. */
export function nodeAffinityWith(added: readonly PreferredSchedulingTerm[]): ScorePlugin {
  const everyPod = {
    spec: { containers: [], affinity: { nodeAffinity: { [preferredName]: [...added] } } },
  };
  return {
    name: 'NodeAffinity',
    weight: 2,
    score({ pod }, rooms) {
      const isWished = (pod.spec?.affinity?.nodeAffinity?.[preferredName] ?? []).length > 0;
      if (!isWished && added.length === 0) return undefined;
      return stretched(
        rooms.map(({ node }) => (node ? nodePreference(pod, node) + nodePreference(everyPod, node) : 0)),
      );
    },
  };
}

/** The pod's own alone. */
export const nodeAffinity = nodeAffinityWith([]);
