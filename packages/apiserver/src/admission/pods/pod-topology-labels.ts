import type { Binding, Pod } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

const keys = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Pods have the zone and the region of their node among their labels: their binding brings them. */
export function podTopologyLabels({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    handles: [{ operations: ['CREATE'], resources: ['/pods', '/pods/binding'] }],
    admit({ object, subresource }) {
      const { metadata } = object!;
      const node = caches.nodes.get(subresource === '' ? ownNode(as(object!)) : boundNode(as(object!)));
      const known = Object.entries(node?.metadata?.labels ?? {}).filter(([key]) => keys.includes(key));
      if (known.length > 0) metadata.labels = { ...metadata.labels, ...Object.fromEntries(known) };
    },
  };
}

function ownNode({ spec }: Pod): string {
  return spec?.nodeName ?? '';
}

function boundNode({ target }: Binding): string {
  return target?.kind === 'Node' ? (target.name ?? '') : '';
}
