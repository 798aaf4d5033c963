/** Violations in volumes of files that come from objects, or are made for the pod. */

import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  ResourceFieldSelector,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../../../status/field-error.ts';
import { validateFieldReference, validateResourceField } from '../containers/container.ts';
import { descendingPath } from '../paths.ts';

const modeMax = 0o777;
const modeDetail = 'must be a number between 0 and 0777 (octal), both inclusive';
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;

/** Violations in the files of a volume. */
export function validateFiles(
  { secret, configMap, downwardAPI, projected }: Partial<Volume>,
  field: FieldPath,
): FieldError[] {
  const place = child(field, 'downwardAPI');
  return [
    ...(secret && !secret.secretName ? [required(child(field, 'secret', 'secretName'))] : []),
    ...(secret ? validateKeys(secret, child(field, 'secret')) : []),
    ...(configMap && !configMap.name ? [required(child(field, 'configMap', 'name'))] : []),
    ...(configMap ? validateKeys(configMap, child(field, 'configMap')) : []),
    ...(downwardAPI ? validateMode(downwardAPI.defaultMode, child(place, 'defaultMode')) : []),
    ...(downwardAPI?.items ?? []).flatMap((item) => validateDownwardFile(item, place)),
    ...(projected ? validateProjected(projected, child(field, 'projected')) : []),
  ];
}

/** Upstream tells of two files at one path by the volume. */
function validateProjected(
  { defaultMode, sources = [] }: ProjectedVolumeSource,
  field: FieldPath,
): FieldError[] {
  const taken = new Set<string>();
  return [
    ...validateMode(defaultMode, child(field, 'defaultMode')),
    ...sources.flatMap((source, index) => {
      const place = at(child(field, 'sources'), index);
      const isSeveral = Object.values(source).filter((part) => part !== undefined).length > 1;
      const twice = filesOf(source).flatMap(({ path, told }) => {
        const isTaken = taken.has(path);
        taken.add(path);
        return isTaken ? [invalidValue(field, told, 'conflicting duplicate paths')] : [];
      });
      return [
        ...validateProjection(source, place, field),
        ...twice,
        ...(isSeveral ? [forbiddenField(place, 'may not specify more than 1 volume type per source')] : []),
      ];
    }),
  ];
}

/** The files of a source, and by what they are told of. */
function filesOf(source: VolumeProjection): { path: string; told: string }[] {
  const { secret, configMap, downwardAPI, clusterTrustBundle, podCertificate = {} } = source;
  const { credentialBundlePath, keyPath, certificateChainPath } = podCertificate as Record<string, string>;
  const own = [clusterTrustBundle?.path, credentialBundlePath, keyPath, certificateChainPath];
  const files = [
    ...(secret?.items ?? []).map(({ path }) => ({ path, told: secret?.name ?? '' })),
    ...(configMap?.items ?? []).map(({ path }) => ({ path, told: configMap?.name ?? '' })),
    ...(downwardAPI?.items ?? []).map(({ path }) => ({ path, told: path })),
    ...own.flatMap((path) => (path ? [{ path, told: path }] : [])),
  ];
  return files.filter(({ path }) => Boolean(path));
}

function validateProjection(source: VolumeProjection, place: FieldPath, volume: FieldPath): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  const named = [
    [secret, child(place, 'secret')],
    [configMap, child(place, 'configMap')],
  ] as const;
  return [
    ...named.flatMap(([part, field]) =>
      part
        ? [
            ...(part.name ? [] : [required(child(field, 'name'))]),
            ...validateKeys({ items: part.items ?? [] }, field),
          ]
        : [],
    ),
    ...(downwardAPI?.items ?? []).flatMap((item) => validateDownwardFile(item, child(place, 'downwardAPI'))),
    ...(serviceAccountToken
      ? validateToken(serviceAccountToken, child(place, 'serviceAccountToken'), volume)
      : []),
  ];
}

function validateToken(
  { expirationSeconds: seconds = tokenSecondsMin, path }: ServiceAccountTokenProjection,
  field: FieldPath,
  volume: FieldPath,
): FieldError[] {
  const place = child(field, 'expirationSeconds');
  return [
    ...(seconds < tokenSecondsMin
      ? [invalidValue(place, seconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...(seconds > tokenSecondsMax
      ? [invalidValue(place, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    // Upstream tells of the volume's path.
    ...(path ? validateTarget(child(volume, 'path'), path) : [required(child(volume, 'path'))]),
  ];
}

/** Upstream tells of the volume, not of the item. */
function validateDownwardFile(item: DownwardAPIVolumeFile, field: FieldPath): FieldError[] {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  return [
    ...(path ? validateTarget(child(field, 'path'), path) : [required(child(field, 'path'))]),
    ...(fieldRef ? validateFieldReference(fieldRef.fieldPath, child(field, 'fieldRef'), volumeFields) : []),
    ...(fieldRef && resourceFieldRef
      ? [invalidValue(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...(!fieldRef && resourceFieldRef
      ? validateAmountReference(resourceFieldRef, child(field, 'resourceFieldRef'))
      : []),
    ...(fieldRef || resourceFieldRef
      ? []
      : [required(field, 'one of fieldRef and resourceFieldRef is required')]),
    ...validateMode(mode, child(field, 'mode')),
  ];
}

function validateAmountReference({ containerName, resource }: ResourceFieldSelector, field: FieldPath) {
  if (!containerName) return [required(child(field, 'containerName'))];
  return validateResourceField(resource, child(field, 'resource'));
}

const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

function validateKeys(source: { items?: KeyToPath[]; defaultMode?: number }, field: FieldPath): FieldError[] {
  const items = (source.items ?? []).flatMap((item, index) => {
    const place = at(child(field, 'items'), index);
    return [
      ...(item.key ? [] : [required(child(place, 'key'))]),
      ...(item.path ? validateTarget(child(place, 'path'), item.path) : [required(child(place, 'path'))]),
      ...validateMode(item.mode, child(place, 'mode')),
    ];
  });
  return [...validateMode(source.defaultMode, child(field, 'defaultMode')), ...items];
}

function validateTarget(field: FieldPath, path: string): FieldError[] {
  const errors = descendingPath(field, path);
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return isReserved ? [...errors, invalidValue(field, path, "must not start with '..'")] : errors;
}

function validateMode(mode: number | undefined, field: FieldPath): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= modeMax) ? [] : [invalidValue(field, mode, modeDetail)];
}
