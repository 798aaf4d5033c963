/** Violations in the security contexts of containers and pods. */

import type {
  AppArmorProfile,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
} from '../../../../generated/types.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../../../status/field-error.ts';
import { inclusiveRange } from '../../../../validation/formats.ts';
import { descendingPath } from './paths.ts';

const procMounts = ['Default', 'Unmasked'];
const idMax = 2 ** 31 - 1;

export function identifier(field: FieldPath, id: number | undefined): FieldError[] {
  return id === undefined || (id >= 0 && id <= idMax)
    ? []
    : [invalidValue(field, id, inclusiveRange(0, idMax))];
}

/** Violations in a container's security context. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  field: FieldPath,
  hostUsers = true,
): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...identifier(child(field, 'runAsUser'), context.runAsUser),
    ...identifier(child(field, 'runAsGroup'), context.runAsGroup),
    ...validateSeccomp(context.seccompProfile, child(field, 'seccompProfile')),
    ...validateAppArmor(context.appArmorProfile, child(field, 'appArmorProfile')),
    ...(context.procMount === undefined || procMounts.includes(context.procMount)
      ? []
      : [notSupported(child(field, 'procMount'), context.procMount, procMounts)]),
    ...(context.procMount === 'Unmasked' && hostUsers
      ? [invalidValue(child(field, 'procMount'), 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
      : []),
  ];
  if (context.allowPrivilegeEscalation === false) {
    const place = child(field, 'allowPrivilegeEscalation');
    if (context.privileged) {
      errors.push(
        invalidValue(
          field,
          context as never,
          'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
        ),
      );
    }
    if (context.capabilities?.add?.some((name) => name === 'CAP_SYS_ADMIN')) {
      errors.push(
        invalidValue(
          place,
          false,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      );
    }
  }
  return errors;
}

interface PodPolicy {
  name: 'fsGroupChangePolicy' | 'seLinuxChangePolicy' | 'supplementalGroupsPolicy';
  known: readonly string[];
}

const podPolicies: readonly PodPolicy[] = [
  { name: 'fsGroupChangePolicy', known: ['Always', 'OnRootMismatch'] },
  { name: 'seLinuxChangePolicy', known: ['MountOption', 'Recursive'] },
  { name: 'supplementalGroupsPolicy', known: ['Merge', 'Strict'] },
];

/** Violations in a pod's security context. */
export function validatePodSecurityContext(
  context: PodSecurityContext | undefined,
  field: FieldPath,
): FieldError[] {
  if (context === undefined) return [];
  return [
    ...identifier(child(field, 'runAsUser'), context.runAsUser),
    ...identifier(child(field, 'runAsGroup'), context.runAsGroup),
    ...identifier(child(field, 'fsGroup'), context.fsGroup),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      identifier(`${child(field, 'supplementalGroups')}[${index}]`, group),
    ),
    ...podPolicies.flatMap(({ name, known }) => {
      const policy: string | undefined = context[name];
      return policy === undefined || known.includes(policy)
        ? []
        : [notSupported(child(field, name), policy, known)];
    }),
    ...validateSeccomp(context.seccompProfile, child(field, 'seccompProfile')),
    ...validateAppArmor(context.appArmorProfile, child(field, 'appArmorProfile')),
  ];
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateSeccomp(profile: SeccompProfile | undefined, field: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const place = child(field, 'localhostProfile');
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile !== undefined) return descendingPath(place, profile.localhostProfile);
    return [required(place, 'must be set when seccomp type is Localhost')];
  }
  const errors = validateSeccompType(profile.type, child(field, 'type'));
  if (profile.localhostProfile === undefined) return errors;
  const detail = 'can only be set when seccomp type is Localhost';
  return [...errors, invalidValue(place, profile.localhostProfile, detail)];
}

function validateSeccompType(type: string | undefined, field: FieldPath): FieldError[] {
  if (!type) return [required(field, 'type is required when seccompProfile is set')];
  return profileTypes.includes(type) ? [] : [notSupported(field, type, profileTypes)];
}

const localhostProfileLengthMax = 4_095;

function validateAppArmor(profile: AppArmorProfile | undefined, field: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile: name } = profile;
  const place = child(field, 'localhostProfile');
  if (!type) return [required(child(field, 'type'), 'type is required when appArmorProfile is set')];
  if (!profileTypes.includes(type)) return [notSupported(child(field, 'type'), type, profileTypes)];
  if (type !== 'Localhost') {
    if (name === undefined) return [];
    return [invalidValue(place, name, 'can only be set when AppArmor type is Localhost')];
  }
  if (!name) return [required(place, 'must be set when AppArmor type is Localhost')];
  if (name.trim() !== name) return [invalidValue(place, name, 'must not be padded with whitespace')];
  return name.length > localhostProfileLengthMax ? [tooLong(place, localhostProfileLengthMax)] : [];
}
