import {
  aggregateText,
  type LimitRange,
  type LimitRangeItem,
  type PersistentVolumeClaim,
  type Pod,
} from '@wherry/kubeapi';
import { amountsOf, podAmounts } from '@wherry/podrules';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { brokenBounds, brokenClaimBounds } from './bounds.ts';
import { setContainerDefaults } from './container-defaults.ts';

/** Holds pods and claims to the limit ranges of their namespace, and gives containers what these prescribe. */
export function limitRanger({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  const rangesFor = ({ namespace, previous }: AdmissionRequest): readonly LimitRange[] =>
    previous?.metadata.deletionTimestamp ? [] : [...caches.limitRanges.inNamespace(namespace).values()];
  return {
    name: 'LimitRanger',
    handles: [
      { operations: ['CREATE', 'UPDATE'], resources: ['/persistentvolumeclaims'] },
      { operations: ['CREATE'], resources: ['/pods'] },
      { operations: ['UPDATE'], resources: ['/pods/resize'] },
    ],
    admit(request) {
      if (request.resource.plural !== 'pods') return;
      for (const range of rangesFor(request)) setContainerDefaults(as<Pod>(request.object!), range);
    },
    validate(request) {
      const judge = request.resource.plural === 'pods' ? judgePod : judgeClaim;
      for (const { spec } of rangesFor(request)) {
        const broken = (spec?.limits ?? []).flatMap((item) => judge(item, request.object!));
        if (broken.length > 0) throw refused(request, aggregateText(broken));
      }
    },
  };
}

function judgePod(item: LimitRangeItem, object: ApiObject): string[] {
  const { spec } = as<Pod>(object);
  if (!spec) return [];
  if (item.type === 'Container') {
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      brokenBounds(item, {
        requests: amountsOf(resources?.requests),
        limits: amountsOf(resources?.limits),
      }),
    );
  }
  if (item.type !== 'Pod') return [];
  // The runtime class's overhead is not the pod's doing.
  const { overhead: _overhead, ...own } = spec;
  const pod = { spec: own };
  return brokenBounds(item, { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') });
}

function judgeClaim(item: LimitRangeItem, object: ApiObject): string[] {
  if (item.type !== 'PersistentVolumeClaim') return [];
  return brokenClaimBounds(item, amountsOf(as<PersistentVolumeClaim>(object).spec?.resources?.requests));
}
