/** Violations in which of the host's namespaces a pod shares. */

import type { PodSpec } from '../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
} from '../../../../status/field-error.ts';

const shared = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' } as const;
const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** A pod with users of its own shares no namespace of the host and takes no devices; one process tree is shared once. */
export function validateHostNamespaces(spec: PodSpec, field: FieldPath, previous?: PodSpec): FieldError[] {
  const { hostPID, shareProcessNamespace } = spec;
  const place = child(field, 'securityContext', 'shareProcessNamespace');
  const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
  return [
    ...(hostPID && shareProcessNamespace ? [invalidValue(place, true, detail)] : []),
    ...(spec.hostUsers === false ? forbiddenForOwnUsers(spec, field, previous) : []),
  ];
}

function forbiddenForOwnUsers(spec: PodSpec, field: FieldPath, previous?: PodSpec): FieldError[] {
  const detail = 'when `hostUsers` is false';
  // A pod that has the host's network already keeps it.
  const keepsNetwork = previous?.hostUsers === false && previous.hostNetwork;
  const names = (Object.keys(shared) as (keyof typeof shared)[]).filter(
    (name) => spec[name] && !(name === 'hostNetwork' && keepsNetwork),
  );
  return [
    ...names.map((name) => forbiddenField(child(field, shared[name]), detail)),
    ...containerLists.flatMap((list) =>
      (spec[list] ?? []).flatMap(({ volumeDevices = [] }, index) =>
        volumeDevices.length === 0
          ? []
          : [forbiddenField(child(at(child(field, list), index), 'volumeDevices'), detail)],
      ),
    ),
  ];
}

/** On the host's network a port is the same inside and outside; templates may leave the outer one out. */
export function validateHostPorts({ hostNetwork, containers = [] }: PodSpec, field: FieldPath): FieldError[] {
  if (!hostNetwork) return [];
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, portIndex) => {
      const place = at(child(at(child(field, 'containers'), index), 'ports'), portIndex);
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      return hostPort === 0 || hostPort === containerPort
        ? []
        : [invalidValue(child(place, 'hostPort'), hostPort, detail)];
    }),
  );
}
