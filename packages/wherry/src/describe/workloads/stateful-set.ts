import type { PersistentVolumeClaim, StatefulSet } from '@wherry/kubeapi';
import { templateLines } from '../pods/template.ts';
import type { Surroundings } from '../surroundings.ts';
import { headLines, labelLines, metadataLines, selectorText } from '../text/labels.ts';
import { field, given, indented, type Lines } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { amount, list } from '../text/values.ts';
import { classOf } from '../volumes/claim.ts';
import { podPhases } from './pods-of.ts';

/** A StatefulSet: its pods, and the claims that each of them gets. */
export async function describeStatefulSet(set: StatefulSet, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status } = set;
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const { partition, maxUnavailable } = rollingUpdate ?? {};
  return [
    ...headLines(metadata),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    field('Selector', selectorText(spec?.selector)),
    ...metadataLines(metadata),
    field('Replicas', `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`),
    field('Update Strategy', type),
    ...(partition === undefined
      ? []
      : indented([field('Partition', partition), ...given('MaxUnavailable', maxUnavailable)])),
    field('Pods Status', await podPhases(set, spec?.selector, surroundings)),
    ...templateLines(spec?.template),
    ...claimLines(spec?.volumeClaimTemplates),
    ...(await surroundings.events(set)),
  ];
}

function claimLines(templates: readonly PersistentVolumeClaim[] | undefined = []): Lines {
  if (templates.length === 0) return [field('Volume Claims', '<none>')];
  const each = templates.flatMap(({ metadata, spec }) => {
    const { name, labels, annotations } = metadata;
    const storage = spec?.resources?.requests?.['storage'];
    return [
      field('  Name', name),
      field('  StorageClass', classOf(annotations, spec?.storageClassName)),
      ...pairLines('Labels', labels),
      ...pairLines('Annotations', annotations),
      field('  Capacity', storage === undefined ? '<default>' : amount(storage)),
      field('  Access Modes', list(spec?.accessModes)),
    ];
  });
  return ['Volume Claims:', ...each];
}

/** Pairs below the first are moved to the right as it is. */
function pairLines(title: string, pairs: Readonly<Record<string, string>> | undefined): Lines {
  const [first = '', ...more] = labelLines(`  ${title}`, pairs);
  return [first, ...indented(more)];
}
