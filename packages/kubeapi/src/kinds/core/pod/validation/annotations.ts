/** Violations in the annotations of pods that mean something (upstream: ValidatePodSpecificAnnotations). */

import type { AppArmorProfile, Pod, PodSpec, SeccompProfile } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
} from '../../../../status/field-error.ts';
import { allContainers, appArmorPrefix } from '../app-armor.ts';
import { descendingPath } from './paths.ts';

type Annotations = Readonly<Record<string, string>>;

/** Of pods that a kubelet runs on its own account. */
export const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const localhost = 'localhost/';
const int32Max = 2 ** 31 - 1;

/** Violations in annotations alone. A cost that `before` has wrong already may stay so. */
export function validatePodAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  { field, before }: { field: FieldPath; before?: Annotations | undefined },
): FieldError[] {
  const mirrored = ownValue(annotations, mirror);
  const cost = ownValue(annotations, deletionCost);
  const wasWrong = before && !isCost(ownValue(before, deletionCost));
  return [
    ...(mirrored === undefined || spec.nodeName
      ? []
      : [
          invalidValue(at(field, mirror), mirrored, 'must set spec.nodeName if mirror pod annotation is set'),
        ]),
    ...(wasWrong || isCost(cost)
      ? []
      : [invalidValue(at(field, deletionCost), cost, 'must be a 32bit integer')]),
    ...Object.entries(annotations).flatMap(([key, value]) => [
      ...(key === seccompOfPod || key.startsWith(seccompPrefix)
        ? seccompErrors(value, child(field, key))
        : []),
      ...(key.startsWith(appArmorPrefix)
        ? appArmorErrors(value, { spec, name: key.slice(appArmorPrefix.length), field: at(field, key) })
        : []),
    ]),
  ];
}

/** Violations in a change: who is a mirror, and confined, stays so. */
export function validateAnnotationChange({ metadata, spec }: Pod, previous: Pod): FieldError[] {
  const field = 'metadata.annotations';
  const [after, before] = [metadata?.annotations ?? {}, previous.metadata?.annotations ?? {}];
  const errors = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const what = key === mirror ? 'mirror pod annotation' : 'AppArmor annotations';
    if (key !== mirror && !key.startsWith(appArmorPrefix)) return [];
    if (ownValue(after, key) === ownValue(before, key)) return [];
    const verb = Object.hasOwn(before, key) ? 'remove or update' : 'add';
    return [forbiddenField(at(field, key), `may not ${verb} ${what}`)];
  });
  return [...errors, ...validatePodAnnotations(after, spec, { field, before })];
}

/** Violations where an annotation says otherwise than the field that has come to stand in its place. */
export function contradictedFields(
  annotations: Annotations = {},
  spec: PodSpec,
  field: FieldPath,
): FieldError[] {
  const { securityContext: ofPod } = spec;
  const said = (key: string) => ownValue(annotations, key);
  const containers = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map(
      ({ name, securityContext }, index) =>
        [name, securityContext, child(at(child(field, list), index), 'securityContext')] as const,
    ),
  );
  return [
    ...contradicted('seccomp', said(seccompOfPod), {
      profile: ofPod?.seccompProfile,
      field: child(field, 'securityContext', 'seccompProfile'),
    }),
    ...containers.flatMap(([name, context, place]) =>
      contradicted('seccomp', said(`${seccompPrefix}${name}`), {
        profile: context?.seccompProfile,
        field: child(place, 'seccompProfile'),
      }),
    ),
    ...containers.flatMap(([name, context, place]) =>
      contradicted('apparmor', spec.os?.name === 'windows' ? undefined : said(`${appArmorPrefix}${name}`), {
        profile: context?.appArmorProfile ?? ofPod?.appArmorProfile,
        field: child(place, 'appArmorProfile'),
      }),
    ),
  ];
}

/** How annotations say that a profile is the runtime's own. */
const runtimeDefaults = {
  seccomp: ['runtime/default', 'docker/default'],
  apparmor: ['runtime/default'],
} as const;

function contradicted(
  what: keyof typeof runtimeDefaults,
  annotation: string | undefined,
  { profile, field }: { profile: SeccompProfile | AppArmorProfile | undefined; field: FieldPath },
): FieldError[] {
  if (annotation === undefined || !profile) return [];
  const isSame =
    profile.type === 'Unconfined'
      ? annotation === 'unconfined'
      : profile.type === 'RuntimeDefault'
        ? runtimeDefaults[what].some((name) => name === annotation)
        : profile.type !== 'Localhost' || annotation.startsWith(localhost);
  if (!isSame)
    return [forbiddenField(child(field, 'type'), `${what} type in annotation and field must match`)];
  if (profile.type !== 'Localhost' || annotation.slice(localhost.length) === profile.localhostProfile)
    return [];
  return [
    forbiddenField(child(field, 'localhostProfile'), `${what} profile in annotation and field must match`),
  ];
}

/** As a number is written and no other way. */
function isCost(text: string | undefined): boolean {
  if (text === undefined) return true;
  const number = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return number >= -int32Max - 1 && number <= int32Max;
}

function seccompErrors(profile: string, field: FieldPath): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith(localhost)) return descendingPath(field, profile.slice(localhost.length));
  return [invalidValue(field, profile, 'must be a valid seccomp profile')];
}

function appArmorErrors(
  profile: string,
  { spec, name, field }: { spec: PodSpec; name: string; field: FieldPath },
): FieldError[] {
  const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localhost);
  return [
    ...(allContainers(spec).some((container) => container.name === name)
      ? []
      : [invalidValue(field, name, 'container not found')]),
    ...(isKnown
      ? []
      : [invalidValue(field, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}
