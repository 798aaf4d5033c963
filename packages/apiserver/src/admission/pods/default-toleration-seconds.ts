import type { Pod, Toleration } from '@wherry/kubeapi';
import { taintKeys } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';

const tolerationSeconds = 300;
const keys = [taintKeys.notReady, taintKeys.unreachable];

/** Pods stay for five minutes on a node that is not ready or can't be reached, unless they say otherwise. */
export function defaultTolerationSeconds(): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    admit({ object }) {
      const { spec } = as<Pod>(object!);
      if (!spec) return;
      const present = spec.tolerations ?? [];
      const missing = keys.filter((key) => !present.some((toleration) => covers(toleration, key)));
      if (missing.length === 0) return;
      const added = missing.map((key) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      }));
      spec.tolerations = [...present, ...(added as Toleration[])];
    },
  };
}

function covers({ key, effect }: Toleration, wanted: string): boolean {
  return (key === wanted || !key) && (effect === 'NoExecute' || !effect);
}
