/** What of a pod, or of a template of pods, is not as its writer may think (upstream: pkg/api/pod/warnings.go). */
import type { ObjectMeta, PodSpec, Volume } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import { at, child, type FieldPath } from '../../../../status/field-error.ts';
import { dnsLabel } from '../../../../validation/formats.ts';
import { allContainers, appArmorAdvice, appArmorPrefix, appArmorProfileFrom, isSame } from '../app-armor.ts';
import { claimSpecWarnings } from './claim-warnings.ts';
import {
  containerWarnings,
  fractionWarnings,
  type PlacedContainer,
  portWarnings,
} from './container-warnings.ts';
import { placementWarnings, podAffinityWarnings } from './placement-warnings.ts';

/** What such a template has. */
export interface PodParts {
  metadata?: Pick<ObjectMeta, 'annotations'> | undefined;
  spec?: PodSpec | undefined;
}

const givenUpAnnotations = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;

const givenUpVolumes: readonly (readonly [field: keyof Volume, since: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Warnings of a pod, or of the template at `path`. */
export function podWarnings({ metadata = {}, spec }: PodParts, path: FieldPath = ''): string[] {
  if (!spec) return [];
  const place = child(path, 'spec');
  const annotations = child(path, 'metadata', 'annotations');
  const said = (name: string) =>
    metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, name);
  const containers = placedContainers(spec, place);
  return [
    ...placementWarnings(spec, place),
    ...givenUpAnnotations
      .filter(([name]) => said(name))
      .map(([name, why]) => `${at(annotations, name)}: ${why}`),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      givenUpVolumes
        .filter(([field]) => volume[field] !== undefined)
        // Upstream has this one's name otherwise.
        .map(([field, since]) => [field === 'storageos' ? 'storageOS' : field, since] as const)
        .map(([field, since]) => `${child(at(child(place, 'volumes'), index), field)}: ${since}`),
    ),
    ...(spec.volumes ?? []).flatMap(({ ephemeral }, index) =>
      claimSpecWarnings(
        ephemeral?.volumeClaimTemplate?.spec,
        child(at(child(place, 'volumes'), index), 'ephemeral', 'volumeClaimTemplate', 'spec'),
      ),
    ),
    ...repeated(
      spec.hostAliases?.map(({ ip }) => ip),
      child(place, 'hostAliases'),
      'ip',
    ),
    ...repeated(
      spec.imagePullSecrets?.map(({ name = '' }) => name),
      child(place, 'imagePullSecrets'),
      'name',
    ),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name }, index) =>
      name ? [] : [`${child(at(child(place, 'imagePullSecrets'), index), 'name')}: invalid empty name ""`],
    ),
    ...['memory', 'ephemeral-storage'].flatMap((name) =>
      fractionWarnings(spec.overhead, name, child(place, 'overhead')),
    ),
    ...profileWarnings({ metadata, spec }, path),
    ...containers.flatMap(containerWarnings),
    ...portWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${child(place, 'terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(spec, place),
  ];
}

const seccompAdvice = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Of annotations that named profiles before fields did. What a pod itself says of AppArmor is told of where it is made a field. */
function profileWarnings({ metadata = {}, spec }: PodParts & { spec: PodSpec }, path: FieldPath): string[] {
  const { annotations = {} } = metadata;
  const { securityContext: ofPod } = spec;
  const place = child(path, 'metadata', 'annotations');
  const seccomp = (key: string, has: unknown) =>
    has || !Object.hasOwn(annotations, key) ? [] : [`${at(place, key)}: ${seccompAdvice}`];
  return [
    ...seccomp('seccomp.security.alpha.kubernetes.io/pod', ofPod?.seccompProfile),
    ...allContainers(spec).flatMap(({ name, securityContext: own }) => {
      const key = `${appArmorPrefix}${name}`;
      const annotation = ownValue(annotations, key);
      const profile = annotation === undefined ? undefined : appArmorProfileFrom(annotation);
      const isSaid = profile && ofPod?.appArmorProfile && isSame(profile, ofPod.appArmorProfile);
      const isTold = path !== '' && annotation !== undefined && !own?.appArmorProfile && !isSaid;
      return [
        ...seccomp(`container.seccomp.security.alpha.kubernetes.io/${name}`, own?.seccompProfile),
        ...(isTold ? [`${at(place, key)}: ${appArmorAdvice}`] : []),
      ];
    }),
  ];
}

function placedContainers(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((name) =>
    (spec[name] ?? []).map((container, index): PlacedContainer => [container, at(child(path, name), index)]),
  );
}

function repeated(values: readonly string[] = [], path: FieldPath, field: string): string[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) < index
      ? [`${child(at(path, index), field)}: duplicate ${field} ${JSON.stringify(value)}`]
      : [],
  );
}

/** Warnings of a name that pods and their hosts are called after. */
export function hostNameWarnings(
  { name = '' }: Pick<ObjectMeta, 'name'>,
  of = 'Pod names and hostnames',
): string[] {
  const complaints = dnsLabel(name);
  if (complaints.length === 0) return [];
  const effect = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: this is used in ${of}, ${effect}: [${complaints.join(' ')}]`];
}
