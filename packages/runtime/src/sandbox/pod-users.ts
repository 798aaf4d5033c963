import {
  type IDMapping,
  NamespaceMode,
  type NamespaceOption,
  type PodSandboxConfig,
  type UserNamespace,
} from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import type { OciIdMapping, OciLinux } from '../spec/oci-spec.ts';

/** A range of ids, and where it lies outside of the pod. */
export interface IdRange {
  containerId: number;
  hostId: number;
  size: number;
}

/** The users and groups of a pod that has a user namespace of its own. */
export interface PodUsers {
  uids: IdRange;
  gids: IdRange;
}

const idsMax = 2 ** 32 - 1;

const refuse = (why: string) => new RuntimeError('INVALID_ARGUMENT', `user namespace: ${why}`);

function rangeOf(kind: string, mappings: readonly IDMapping[]): IdRange {
  const [mapping, ...more] = mappings;
  if (!mapping || more.length > 0)
    throw refuse(`want exactly one mapping of ${kind}, got ${mappings.length}`);
  const { containerId, hostId, length: size } = mapping;
  if (containerId !== 0) throw refuse(`the mapping of ${kind} must begin at id 0, not ${containerId}`);
  if (size === 0) throw refuse(`the mapping of ${kind} has no ids`);
  if (hostId === 0) throw refuse(`the mapping of ${kind} would make the pod's root the machine's`);
  if (hostId + size > idsMax) throw refuse(`the mapping of ${kind} ends beyond id ${idsMax}`);
  return { containerId, hostId, size };
}

const modeName = (mode: NamespaceMode) =>
  Object.entries(NamespaceMode).find(([, value]) => value === mode)?.[0] ?? String(mode);

function usersOf(options: UserNamespace | undefined): PodUsers | null {
  if (!options) return null;
  const { mode, uids, gids } = options;
  if (mode === NamespaceMode.NODE) {
    if (uids.length + gids.length > 0) throw refuse('mode NODE has no mappings');
    return null;
  }
  if (mode !== NamespaceMode.POD) throw refuse(`mode ${modeName(mode)} is not supported; want POD or NODE`);
  return { uids: rangeOf('users', uids), gids: rangeOf('groups', gids) };
}

/**
 * The users of a sandbox's own user namespace; null when its processes are the machine's users. Throws `RuntimeError`
 * INVALID_ARGUMENT for mappings that containerd refuses as well, and for a pod that shares other namespaces with the machine.
 */
export function podUsers(config: PodSandboxConfig): PodUsers | null {
  const options = config.linux?.securityContext?.namespaceOptions;
  const users = usersOf(options?.usernsOptions);
  if (users && options) checkOthers(options);
  return users;
}

/** Whoever owns no network namespace can't mount /sys, without a process namespace no /proc (user_namespaces(7)). */
function checkOthers({ network, ipc, pid }: NamespaceOption): void {
  const shared = Object.entries({ network, ipc, pid }).filter(([, mode]) => mode === NamespaceMode.NODE);
  if (shared.length === 0) return;
  const names = shared.map(([name]) => name).join(', ');
  throw refuse(`the pod shares ${names} with the machine, which needs the machine's users`);
}

/** Refuses a container that asks for other users than its sandbox's. Throws `RuntimeError` INVALID_ARGUMENT. */
export function checkContainerUsers(options: NamespaceOption | undefined, ofSandbox: PodUsers | null): void {
  if (!options) return;
  const own = usersOf(options.usernsOptions);
  if (JSON.stringify(own) !== JSON.stringify(ofSandbox))
    throw refuse("a container's mappings must be those of its pod sandbox");
  if (own && options.pid === NamespaceMode.NODE) checkOthers(options);
}

/** Whether a mount's mappings are the pod's: those of others can't be shown. */
export function isMappingOf(mapping: readonly IDMapping[], range: IdRange): boolean {
  const [only, ...more] = mapping;
  if (!only || more.length > 0) return false;
  return only.containerId === range.containerId && only.hostId === range.hostId && only.length === range.size;
}

/** The mappings as the OCI runtime is told of them, beside the path of the namespace that has them. */
export function ociMappings(users: PodUsers | null): Pick<OciLinux, 'uidMappings' | 'gidMappings'> {
  if (!users) return {};
  const toOci = ({ containerId, hostId, size }: IdRange): OciIdMapping[] => [
    { containerID: containerId, hostID: hostId, size },
  ];
  return { uidMappings: toOci(users.uids), gidMappings: toOci(users.gids) };
}
