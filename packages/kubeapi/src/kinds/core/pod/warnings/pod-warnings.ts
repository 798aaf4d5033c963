/** What of a pod, or of a template of pods, is not as its writer may think (upstream: pkg/api/pod/warnings.go). */
import type { Container, ObjectMeta, PodSpec, Volume } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import { podWarningsMax } from '../../../../limits.ts';
import { at, child, type FieldPath } from '../../../../status/field-error.ts';
import { addressWarnings } from '../../../../validation/addresses/address-warnings.ts';
import { dnsLabel } from '../../../../validation/formats.ts';
import { appArmorAdvice, appArmorPrefix, appArmorProfileFrom, isSame } from '../app-armor.ts';
import { claimSpecWarnings } from './claim-warnings.ts';
import {
  containerWarnings,
  fractionWarnings,
  type PlacedContainer,
  portWarnings,
} from './container-warnings.ts';
import { placementWarnings, podAffinityWarnings } from './placement-warnings.ts';
import { volumePathWarnings } from './volume-path-warnings.ts';

/** What such a template has. */
export interface PodParts {
  metadata?: Pick<ObjectMeta, 'annotations'> | undefined;
  spec?: PodSpec | undefined;
}

interface SpecParts {
  metadata: Pick<ObjectMeta, 'annotations'>;
  spec: PodSpec;
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
  const parts = { metadata, spec };
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
    ...volumePathWarnings(spec.volumes ?? []).take(podWarningsMax),
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
    ...seccompWarnings(podSeccomp, spec.securityContext?.seccompProfile, parts, path),
    ...containers.flatMap((placed) => [
      ...profileWarnings(placed[0], parts, path),
      ...containerWarnings(placed),
    ]),
    ...portWarnings(containers).take(podWarningsMax),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${child(place, 'terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(spec, place),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarnings(at(child(place, 'dnsConfig', 'nameservers'), index), address),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      addressWarnings(child(at(child(place, 'hostAliases'), index), 'ip'), ip),
    ),
  ];
}

const seccompAdvice = 'non-functional in v1.27+; use the "seccompProfile" field instead';

const seccompBase = 'seccomp.security.alpha.kubernetes.io';
const podSeccomp = `${seccompBase}/pod`;

/** Of an annotation that named a profile of system calls before a field did. */
function seccompWarnings(key: string, field: unknown, { metadata }: SpecParts, path: FieldPath): string[] {
  if (field || !Object.hasOwn(metadata.annotations ?? {}, key)) return [];
  return [`${at(child(path, 'metadata', 'annotations'), key)}: ${seccompAdvice}`];
}

/** The same for one container. What a pod itself says of AppArmor is told of where it is made a field. */
function profileWarnings(
  { name, securityContext: own }: Container,
  parts: SpecParts,
  path: FieldPath,
): string[] {
  const key = `${appArmorPrefix}${name}`;
  const ofPod = parts.spec.securityContext?.appArmorProfile;
  const annotation = ownValue(parts.metadata.annotations, key);
  const profile = annotation === undefined ? undefined : appArmorProfileFrom(annotation);
  const isSaid = profile && ofPod && isSame(profile, ofPod);
  const isTold = path !== '' && annotation !== undefined && !own?.appArmorProfile && !isSaid;
  return [
    ...seccompWarnings(`container.${seccompBase}/${name}`, own?.seccompProfile, parts, path),
    ...(isTold ? [`${at(child(path, 'metadata', 'annotations'), key)}: ${appArmorAdvice}`] : []),
  ];
}

function placedContainers(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((name) =>
    (spec[name] ?? []).map((container, index): PlacedContainer => [container, at(child(path, name), index)]),
  );
}

function repeated(values: readonly string[] = [], path: FieldPath, field: string): string[] {
  const known = new Set<string>();
  return values.flatMap((value, index) => {
    if (!known.has(value)) {
      known.add(value);
      return [];
    }
    return [`${child(at(path, index), field)}: duplicate ${field} ${JSON.stringify(value)}`];
  });
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
