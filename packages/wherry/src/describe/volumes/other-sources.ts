import {
  type CSIPersistentVolumeSource,
  type CSIVolumeSource,
  type DownwardAPIVolumeSource,
  type EmptyDirVolumeSource,
  type EphemeralVolumeSource,
  type FCVolumeSource,
  type FlexPersistentVolumeSource,
  type FlexVolumeSource,
  type ProjectedVolumeSource,
  parseQuantity,
  type ScaleIOPersistentVolumeSource,
  type ScaleIOVolumeSource,
  type VolumeProjection,
} from '@wherry/kubeapi';
import { cut } from '../text/labels.ts';
import { field, indented, type Lines } from '../text/lines.ts';
import { amount, map, sortedEntries } from '../text/values.ts';
import { ephemeralClaimLines } from './claim.ts';
import { sourceLines } from './source-text.ts';

/** A folder of the pod's own, and how much it may hold. */
export const emptyDirLines = ({ medium, sizeLimit }: EmptyDirVolumeSource): Lines => [
  field('Type', "EmptyDir (a temporary directory that shares a pod's lifetime)"),
  field('Medium', medium),
  field(
    'SizeLimit',
    sizeLimit !== undefined && parseQuantity(sizeLimit).sign() > 0 ? amount(sizeLimit) : '<unset>',
  ),
];

/** What each source puts in; sources that kubectl has no words for tell nothing. */
export const projectedLines = ({ sources }: ProjectedVolumeSource): Lines => [
  field('Type', 'Projected (a volume that contains injected data from multiple sources)'),
  ...(sources ?? []).flatMap(projectionLines),
];

function projectionLines(projection: VolumeProjection): Lines {
  const { secret, downwardAPI, configMap, serviceAccountToken } = projection;
  const named = (title: string, { name, optional = false }: { name?: string; optional?: boolean }) => [
    ...[field(title, name), field('Optional', optional)],
  ];
  if (secret) return named('SecretName', secret);
  if (downwardAPI) return [field('DownwardAPI', true)];
  if (configMap) return named('ConfigMapName', configMap);
  return serviceAccountToken
    ? [field('TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0)]
    : [];
}

/** Which fields of the pod stand in which files. */
export const downwardLines = ({ items = [] }: DownwardAPIVolumeSource): Lines => [
  field('Type', 'DownwardAPI (a volume populated by information about the pod)'),
  'Items:',
  ...indented(
    items.flatMap(({ path, fieldRef, resourceFieldRef }) => [
      ...(fieldRef ? [`${fieldRef.fieldPath} -> ${path}`] : []),
      ...(resourceFieldRef ? [`${resourceFieldRef.resource} -> ${path}`] : []),
    ]),
  ),
];

/** The claim that comes and goes with the pod. */
export const ephemeralLines = ({ volumeClaimTemplate }: EphemeralVolumeSource): Lines => [
  field(
    'Type',
    'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
  ),
  ...(volumeClaimTemplate ? ephemeralClaimLines(volumeClaimTemplate) : []),
];

/** A disk of a Fibre Channel. */
export const fibreChannelLines = ({
  targetWWNs = [],
  lun,
  fsType,
  readOnly = false,
}: FCVolumeSource): Lines => [
  field('Type', 'FC (a Fibre Channel disk)'),
  field('TargetWWNs', targetWWNs.join(', ')),
  field('LUN', lun ?? '<none>'),
  field('FSType', fsType),
  field('ReadOnly', readOnly),
];

/** A volume of a FlexVolume driver, in pods as in persistent volumes. */
export const flexLines = (
  { options, ...source }: FlexVolumeSource | FlexPersistentVolumeSource,
  isPersistent = false,
): Lines => [
  ...sourceLines(
    {
      type: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
      labels: { Driver: 'driver', FSType: 'fsType', SecretRef: 'secretRef', ReadOnly: 'readOnly' },
    },
    source,
    { isPersistent },
  ),
  field('Options', map(options)),
];

const scaleType = 'ScaleIO (a persistent volume backed by a block device in ScaleIO)';
const scaleLabels = {
  ...{ Gateway: 'gateway', System: 'system', 'Protection Domain': 'protectionDomain' },
  ...{ 'Storage Pool': 'storagePool', 'Storage Mode': 'storageMode', VolumeName: 'volumeName' },
};
const mountLabels = { FSType: 'fsType', ReadOnly: 'readOnly' };

/** A volume of ScaleIO, as pods name it. */
export const scaleLines = (source: ScaleIOVolumeSource): Lines =>
  sourceLines({ type: scaleType, labels: { ...scaleLabels, ...mountLabels } }, source);

/** A volume of ScaleIO, as persistent volumes name it: with where its secret is. */
export const persistentScaleLines = ({ secretRef, ...source }: ScaleIOPersistentVolumeSource): Lines => [
  ...sourceLines(
    {
      type: scaleType,
      labels: { ...scaleLabels, SecretName: 'name', SecretNamespace: 'namespace', ...mountLabels },
    },
    { ...source, ...secretRef },
  ),
];

const csiType = 'CSI (a Container Storage Interface (CSI) volume source)';

/** A volume of a CSI driver, as pods name it. */
export const csiLines = ({ volumeAttributes, ...source }: CSIVolumeSource): Lines => [
  ...sourceLines({ type: csiType, labels: { Driver: 'driver', ...mountLabels } }, source),
  ...attributeLines(volumeAttributes),
];

/** A volume of a CSI driver, as persistent volumes name it: with its handle. */
export const persistentCsiLines = ({ volumeAttributes, ...source }: CSIPersistentVolumeSource): Lines => [
  ...sourceLines(
    {
      type: csiType,
      labels: { Driver: 'driver', FSType: 'fsType', VolumeHandle: 'volumeHandle', ReadOnly: 'readOnly' },
    },
    source,
  ),
  ...attributeLines(volumeAttributes),
];

const attributeLengthMax = 140;

/** Every part of a line but the first begins a level further to the right, as kubectl has it. */
function attributeLines(attributes: Readonly<Record<string, string>> | undefined): Lines {
  const texts = sortedEntries(attributes).map(([key, value]) => cut(`${key}=${value}`, attributeLengthMax));
  const [first, ...more] = texts;
  if (first === undefined) return [field('VolumeAttributes', '<none>')];
  return [field('VolumeAttributes', `    ${first}`), ...more.map((text) => `    \t    ${text}`)];
}
