import { nodePreference } from '@wherry/podrules';
import { type ScorePlugin, stretched } from './score-plugin.ts';

/** The weights of the preferred node affinity that a node fits. */
export const nodeAffinity: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  score({ pod }, rooms) {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
    if (!preferred?.length) return undefined;
    return stretched(rooms.map(({ node }) => (node ? nodePreference(pod, node) : 0)));
  },
};
