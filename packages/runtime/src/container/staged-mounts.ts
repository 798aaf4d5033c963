import { type ContainerConfig, type Mount, MountPropagation } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { isMappingOf, type PodUsers, podUsers } from '../sandbox/pod-users.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import { checkPropagation, machineMounts } from '../spec/mounts.ts';
import type { Stage } from '../volumes/stage.ts';
import { hostMounts } from './container-spec.ts';

/** What a container's OCI configuration names instead of the paths that the machine knows. */
export interface StagedMounts {
  rootfs: string;
  /** The sources of the request's mounts that are not the machine's own paths. */
  mounts: ReadonlyMap<Mount, string>;
}

/**
 * Shows root and volumes of a container with a user namespace where its first process finds them, the volumes with
 * their owners mapped wherever the request says so; without one everything is where it is. Throws `RuntimeError`
 * INVALID_ARGUMENT for mappings that are not the pod's, and for what can't be mapped. The caller releases the stage after a failure.
 */
export function stageMounts(request: {
  id: string;
  config: ContainerConfig;
  sandbox: Sandbox;
  rootfs: string;
  hostPaths: ReadonlyMap<string, string>;
  stage: Stage;
}): StagedMounts {
  const { id, config, sandbox, stage, hostPaths } = request;
  const users = podUsers(sandbox.config);
  const wanted = hostMounts(config).filter((mount) => isMapped(mount, users));
  if (!users) return { rootfs: request.rootfs, mounts: new Map() };
  const userNamespacePath = sandbox.namespaces.user ?? '';
  stage.open(id, users.gids.hostId);
  const rootfs = stage.show(id, 'rootfs', { source: request.rootfs, userNamespacePath: null });
  const mounted = machineMounts();
  const mounts = wanted.map((mount, at): [Mount, string] => {
    const source = hostPaths.get(mount.hostPath) ?? mount.hostPath;
    checkPropagation(source, mount.propagation, mounted);
    const follows = mount.propagation === MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
    return [mount, staged(mount, () => stage.show(id, `${at}`, { source, userNamespacePath, follows }))];
  });
  return { rootfs, mounts: new Map(mounts) };
}

/** Whether a mount's owners are to be mapped. */
function isMapped(mount: Mount, users: PodUsers | null): boolean {
  const { uidMappings, gidMappings, containerPath } = mount;
  if (users && mount.propagation === MountPropagation.PROPAGATION_BIDIRECTIONAL) {
    throw refuse(containerPath, "mounts don't pass from a user namespace to the machine (Bidirectional)");
  }
  if (uidMappings.length + gidMappings.length === 0) return false;
  if (!users) throw refuse(containerPath, 'mapped ids need a pod with a user namespace of its own');
  if (isMappingOf(uidMappings, users.uids) && isMappingOf(gidMappings, users.gids)) return true;
  throw refuse(containerPath, "its mappings must be those of the pod's user namespace");
}

function staged(mount: Mount, show: () => string): string {
  try {
    return show();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refuse(mount.containerPath, `the file system of "${mount.hostPath}" can't map ids: ${why}`);
  }
}

const refuse = (containerPath: string, why: string) =>
  new RuntimeError('INVALID_ARGUMENT', `mount of "${containerPath}": ${why}`);
