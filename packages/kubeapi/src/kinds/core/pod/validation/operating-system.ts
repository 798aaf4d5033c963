/** Violations in the operating system that a pod names, and in what only another one knows. */

import type { PodSpec } from '../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  notSupported,
  required,
} from '../../../../status/field-error.ts';

const systems = ['linux', 'windows'];
const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** What a pod for Windows cannot have, where it is set at all. */
const notOnWindows = {
  spec: ['hostUsers', 'shareProcessNamespace'],
  /** Those count when they are true. */
  flags: ['hostPID', 'hostIPC'] as const,
  podContext: [
    ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'],
    ...['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'],
  ],
  context: [
    ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'],
    ...['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
  ],
};

/** Violations in `os`. */
export function validateOperatingSystem(spec: PodSpec, field: FieldPath): FieldError[] {
  const { os } = spec;
  if (!os) return [];
  if (!os.name) return [required(child(field, 'os', 'name'))];
  if (!systems.includes(os.name)) return [notSupported(child(field, 'os'), os.name, systems)];
  const isWindows = os.name === 'windows';
  const { podContext, context, flags } = notOnWindows;
  const own = isWindows
    ? given(spec, field, [...notOnWindows.spec, ...flags.filter((name) => spec[name])])
    : [];
  const foreign = ['windowsOptions'];
  const errors = given(
    spec.securityContext,
    child(field, 'securityContext'),
    isWindows ? podContext : foreign,
  );
  const ofContainers = containerLists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ securityContext }, index) => {
      const place = child(at(child(field, list), index), 'securityContext');
      return given(securityContext, place, isWindows ? context : foreign);
    }),
  );
  return [...own, ...errors, ...ofContainers].map((place) =>
    forbiddenField(place, `cannot be set for a ${os.name} pod`),
  );
}

/** The places of what is set. */
function given(holder: object | undefined, field: FieldPath, names: readonly string[]): FieldPath[] {
  return names.filter((name) => Object.hasOwn(holder ?? {}, name)).map((name) => child(field, name));
}
