import { kinds } from '@wherry/client';
import type { PersistentVolumeClaim, Pod } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines } from '../text/labels.ts';
import { columns, field, type Lines, section, stacked } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { amount, list, sortedBy } from '../text/values.ts';
import { accessModes, classOf, contentLines } from '../volumes/claim.ts';
import { statusLine } from './persistent-volume.ts';

/** A claim: what it got, and who uses it. */
export async function describePersistentVolumeClaim(
  claim: PersistentVolumeClaim,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, spec, status = {} } = claim;
  const { namespace, annotations, finalizers, deletionTimestamp } = metadata;
  const isBound = Boolean(spec?.volumeName);
  const pods = await surroundings.list(kinds.pods, { namespace });
  return [
    ...headLines(metadata),
    field('StorageClass', classOf(annotations, spec?.storageClassName)),
    statusLine(deletionTimestamp, status.phase),
    field('Volume', spec?.volumeName),
    ...metadataLines(metadata),
    field('Finalizers', list(finalizers)),
    field('Capacity', isBound ? amount(status.capacity?.['storage']) : ''),
    field('Access Modes', isBound ? accessModes(status.accessModes) : ''),
    ...contentLines(claim),
    ...stacked('Used By', usersOf(claim, pods)),
    ...conditionLines(claim),
    ...(await surroundings.events(claim)),
  ];
}

/** The pods that name the claim in a volume, and those that it belongs to. */
function usersOf({ metadata }: PersistentVolumeClaim, pods: readonly Pod[]): string[] {
  const owners = new Set(
    (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid),
  );
  const names = pods.flatMap((pod) => {
    const uses = (pod.spec?.volumes ?? []).filter(
      ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === metadata.name,
    );
    const isOwner = uses.length === 0 && owners.has(pod.metadata.uid ?? '');
    return [...uses, ...(isOwner ? [pod] : [])].map(() => pod.metadata.name ?? '');
  });
  return sortedBy(names, (name) => name);
}

function conditionLines({ status: { conditions = [] } = {} }: PersistentVolumeClaim): Lines {
  if (conditions.length === 0) return [];
  const titles = [
    ...['Type', 'Status', ['LastProbeTime', 17] as const],
    ...['LastTransitionTime', 'Reason', 'Message'],
  ];
  const rows = conditions.map(({ type, status, lastProbeTime, lastTransitionTime, reason, message }) => [
    ...[`${type} `, `${status} `, `${clockTime(lastProbeTime)} `, `${clockTime(lastTransitionTime)} `],
    ...[`${reason ?? ''} `, message],
  ]);
  return section('Conditions', columns(titles, rows));
}
