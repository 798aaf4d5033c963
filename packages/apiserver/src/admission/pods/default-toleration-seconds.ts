import type { Pod, Toleration } from '@wherry/kubeapi';
import { taintKeys } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

type Parts = Pick<PluginParts, 'tolerationSeconds'>;

const secondsDefault = 300;

/** Pods stay for a while on a node that is not ready or can't be reached, unless they say otherwise. */
export function defaultTolerationSeconds({ tolerationSeconds }: Parts): AdmissionPlugin {
  const { notReady = secondsDefault, unreachable = secondsDefault } = tolerationSeconds ?? {};
  const wanted = [
    { key: taintKeys.notReady, seconds: notReady },
    { key: taintKeys.unreachable, seconds: unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    admit({ object }) {
      const { spec } = as<Pod>(object!);
      if (!spec) return;
      const present = spec.tolerations ?? [];
      const missing = wanted.filter(({ key }) => !present.some((toleration) => covers(toleration, key)));
      if (missing.length === 0) return;
      const added = missing.map(({ key, seconds }) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: seconds,
      }));
      spec.tolerations = [...present, ...(added as Toleration[])];
    },
  };
}

function covers({ key, effect }: Toleration, wanted: string): boolean {
  return (key === wanted || !key) && (effect === 'NoExecute' || !effect);
}
