import type { PersistentVolumeClaim, PersistentVolumeClaimTemplate } from '@wherry/kubeapi';
import { ownValue } from '@wherry/kubeapi';
import { annotationValues } from '../text/labels.ts';
import { field, given, type Lines, section } from '../text/lines.ts';
import { sortedEntries } from '../text/values.ts';

type Claim = Pick<PersistentVolumeClaim, 'metadata' | 'spec'>;

/** The class that a claim or volume names, by its old annotation first. */
export const classOf = (
  annotations: Readonly<Record<string, string>> | undefined,
  storageClassName: string | undefined,
): string => ownValue(annotations, 'volume.beta.kubernetes.io/storage-class') ?? storageClassName ?? '';

const shortModes = new Map([
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]);

/** `RWO,ROX`: ways of access in one order, each once. */
export const accessModes = (modes: readonly string[] | undefined = []): string =>
  [...shortModes].flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');

/** Where a claim's content comes from. */
export function contentLines({ spec }: Claim): Lines {
  const { volumeMode, dataSource } = spec ?? {};
  return [
    ...given('VolumeMode', volumeMode),
    ...(dataSource
      ? section('DataSource', [
          ...(dataSource.apiGroup === undefined ? [] : [field('APIGroup', dataSource.apiGroup)]),
          field('Kind', dataSource.kind),
          field('Name', dataSource.name),
        ])
      : []),
  ];
}

const margin = '    ';

/** A claim within a volume, each part of whose lines begins at its margin, as kubectl has it. */
export function ephemeralClaimLines({ metadata = {}, spec }: PersistentVolumeClaimTemplate): Lines {
  const claim = { metadata, spec } as Claim;
  const labels = sortedEntries(metadata.labels).map(([key, value]) => `${key}=${value}`);
  return [
    field('StorageClass', classOf(metadata.annotations, spec?.storageClassName)),
    field('Volume', spec?.volumeName),
    ...stackedAtMargin('Labels', labels, `${margin}\t`),
    ...stackedAtMargin('Annotations', annotationValues(metadata.annotations), '\t'),
    // What it is bound to has not told its size.
    field('Capacity', spec?.volumeName ? '0' : ''),
    field('Access Modes'),
    ...contentLines(claim),
  ];
}

function stackedAtMargin(title: string, values: Lines, before: string): Lines {
  const [first = '<none>', ...more] = values;
  const next = (value: string) => (value.startsWith('  ') ? `\t${value}` : `${before}${margin}${value}`);
  return [field(title, `${margin}${first}`), ...more.map(next)];
}
