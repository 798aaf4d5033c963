import type { PersistentVolume, VolumeNodeAffinity } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { metadataLines } from '../text/labels.ts';
import { field, given, type Lines } from '../text/lines.ts';
import { since } from '../text/times.ts';
import { amount, list } from '../text/values.ts';
import { accessModes, classOf } from '../volumes/claim.ts';
import { persistentSourceLines } from '../volumes/volumes.ts';
import { termLines } from './terms.ts';

/** A persistent volume: whose it is, which nodes reach it, and where its content is. */
export async function describePersistentVolume(
  volume: PersistentVolume,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, spec = {}, status = {} } = volume;
  const { claimRef, capacity } = spec;
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    field('Finalizers', list(metadata.finalizers)),
    field('StorageClass', classOf(metadata.annotations, spec.storageClassName)),
    statusLine(metadata.deletionTimestamp, status.phase),
    field('Claim', claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : ''),
    field('Reclaim Policy', spec.persistentVolumeReclaimPolicy),
    field('Access Modes', accessModes(spec.accessModes)),
    ...given('VolumeMode', spec.volumeMode),
    field('Capacity', amount(capacity?.['storage'])),
    ...affinityLines(spec.nodeAffinity),
    field('Message', status.message),
    'Source:',
    ...persistentSourceLines(spec),
    ...(await surroundings.events(volume)),
  ];
}

/** The phase of what is kept; or since when it is going. */
export const statusLine = (deletionTimestamp: string | undefined, phase: string | undefined): string =>
  field('Status', deletionTimestamp ? `Terminating (lasts ${since(deletionTimestamp)})` : phase);

function affinityLines(affinity: VolumeNodeAffinity | undefined): Lines {
  const required = affinity?.required;
  if (!required) return [field('Node Affinity', '<none>')];
  const terms = (required.nodeSelectorTerms ?? []).map(({ matchExpressions = [] }) =>
    matchExpressions.map(({ key, operator, values }) => ({
      ...{ key, operator: operator.toLowerCase() },
      values,
    })),
  );
  return [
    field('Node Affinity'),
    ...(terms.length === 0 ? [field('  Required Terms', '<none>')] : [field('  Required Terms')]),
    ...termLines(terms, 2),
  ];
}
