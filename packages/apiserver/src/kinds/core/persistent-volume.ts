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

const oldAnnotations = [
  ['storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

const oldSources = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function volumeWarnings({ metadata, spec }: PersistentVolume): string[] {
  const { annotations = {} } = metadata;
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...oldAnnotations.flatMap(([name, said]) => {
      const key = `volume.beta.kubernetes.io/${name}`;
      return Object.hasOwn(annotations, key) ? [`metadata.annotations[${key}]: ${said}`] : [];
    }),
    ...(spec?.persistentVolumeReclaimPolicy === 'Recycle' ? [recycling] : []),
    ...terms.flatMap((term, index) =>
      selectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...oldSources.flatMap(([name, said]) =>
      // Upstream has this one's name otherwise.
      spec?.[name] ? [`spec.${name === 'storageos' ? 'storageOS' : name}: ${said}`] : [],
    ),
  ];
}
