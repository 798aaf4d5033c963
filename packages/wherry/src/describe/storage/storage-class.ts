import { ownValue, type StorageClass, type VolumeAttributesClass } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { labelText } from '../text/labels.ts';
import { field, given, type Lines, section, yesNo } from '../text/lines.ts';
import { termLines } from './terms.ts';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** A class of storage: who makes its volumes, and how. */
export async function describeStorageClass(one: StorageClass, surroundings: Surroundings): Promise<Lines> {
  const { name, annotations } = one.metadata;
  const isDefault = defaultAnnotations.some((key) => ownValue(annotations, key) === 'true');
  const { allowVolumeExpansion, mountOptions = [], allowedTopologies } = one;
  const terms = (allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'in', values })),
  );
  return [
    field('Name', name),
    field('IsDefaultClass', isDefault ? 'Yes' : 'No'),
    field('Annotations', labelText(annotations)),
    field('Provisioner', one.provisioner),
    field('Parameters', labelText(one.parameters)),
    field(
      'AllowVolumeExpansion',
      allowVolumeExpansion === undefined ? '<unset>' : yesNo(allowVolumeExpansion),
    ),
    ...(mountOptions.length === 0
      ? [field('MountOptions', '<none>')]
      : section('MountOptions', mountOptions)),
    ...given('ReclaimPolicy', one.reclaimPolicy),
    ...given('VolumeBindingMode', one.volumeBindingMode),
    ...(terms.length > 0 ? [field('AllowedTopologies'), ...termLines(terms, 1)] : []),
    ...(await surroundings.events(one)),
  ];
}

/** What a driver may change of volumes. */
export async function describeVolumeAttributesClass(
  one: VolumeAttributesClass,
  surroundings: Surroundings,
): Promise<Lines> {
  return [
    field('Name', one.metadata.name),
    field('Annotations', labelText(one.metadata.annotations)),
    field('DriverName', one.driverName),
    field('Parameters', labelText(one.parameters)),
    ...(await surroundings.events(one)),
  ];
}
