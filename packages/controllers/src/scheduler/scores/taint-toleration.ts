import { isTolerated } from '@wherry/podrules';
import { type ScorePlugin, scoreMax, stretched } from './score-plugin.ts';

/** Fewer taints that would rather not have the pod. */
export const taintToleration: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  score({ pod }, rooms) {
    const tolerations = pod.spec?.tolerations;
    const unwelcome = rooms.map(
      ({ taints }) =>
        taints.filter((taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(taint, tolerations))
          .length,
    );
    return stretched(unwelcome).map((each) => scoreMax - each);
  },
};
