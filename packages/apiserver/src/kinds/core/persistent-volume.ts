import { type PersistentVolume, selectorTermWarnings } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Persistent volumes: Pending at birth, and told since when they are in their phase. */
export const persistentVolume: ServedKind = {
  group: '',
  kind: 'PersistentVolume',
  strategy: {
    returnsDeleted: true,
    warningsOf: (object) => volumeWarnings(as<PersistentVolume>(object)),
    prepareCreate(object, _user, nowText) {
      object.status = { phase: 'Pending', lastPhaseTransitionTime: nowText };
    },
    prepareStatusUpdate(next, previous, nowText) {
      next.spec = previous.spec!;
      const [after, before] = [as<PersistentVolume>(next).status, as<PersistentVolume>(previous).status];
      if (!after) return;
      const { lastPhaseTransitionTime: told } = after;
      const known = before?.lastPhaseTransitionTime;
      const isSame = after.phase === before?.phase;
      if (isSame && told === undefined && known !== undefined) after.lastPhaseTransitionTime = known;
      if (!isSame && (told === undefined || told === known)) after.lastPhaseTransitionTime = nowText;
    },
  },
};

const recycling =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

function volumeWarnings({ spec }: PersistentVolume): string[] {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...(spec?.persistentVolumeReclaimPolicy === 'Recycle' ? [recycling] : []),
    ...terms.flatMap((term, index) =>
      selectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
  ];
}
