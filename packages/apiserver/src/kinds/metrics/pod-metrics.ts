import type { Pod } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';
import { amountsOf, measured, measuredMetadata, timeText, windowText } from './measured.ts';

const gvk = { group: 'metrics.k8s.io', version: 'v1beta1', kind: 'PodMetrics' };

/** What the containers of pods take: measured when asked, and not stored. */
export const podMetrics: ServedKind = {
  ...gvk,
  handlers: (parts) => ({
    '': measured(gvk, parts, parts.core('pods'), (object, cluster) => {
      const { metadata, spec } = as<Pod>(object);
      const { name, namespace } = metadata;
      const usages = [...(cluster.get(spec?.nodeName ?? '')?.pods.get(`${namespace}/${name}`) ?? [])];
      if (usages.length === 0) return undefined;
      const atMs = Math.min(...usages.map(([, usage]) => usage.atMs));
      const windowMs = Math.max(...usages.map(([, usage]) => usage.windowMs));
      return {
        kind: gvk.kind,
        apiVersion: 'metrics.k8s.io/v1beta1',
        metadata: measuredMetadata(metadata, atMs),
        timestamp: timeText(atMs),
        window: windowText(windowMs),
        containers: usages.map(([container, usage]) => ({ name: container, usage: amountsOf(usage) })),
      };
    }),
  }),
};
