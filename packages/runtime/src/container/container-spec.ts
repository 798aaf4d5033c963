import { join } from 'node:path';
import { type ContainerConfig, type Mount, NamespaceMode, type NamespaceOption } from '@wherry/cri';
import type { ImageConfig } from '@wherry/images';
import type { OciProcess } from '@wherry/monitor-api';
import type { ProfilesAtHand } from '../apparmor/apparmor-profiles.ts';
import { chooseProfile } from '../apparmor/choose-profile.ts';
import { RuntimeError } from '../errors.ts';
import { ociMappings, podUsers } from '../sandbox/pod-users.ts';
import { namespaceModes, sandboxFiles, sandboxHostname } from '../sandbox/sandbox-files.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import { containerCapabilities } from '../spec/capabilities.ts';
import { scopeAnnotations } from '../spec/cgroup-path.ts';
import { containerDevices } from '../spec/devices.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import {
  bind,
  defaultMounts,
  machineMounts,
  orderMounts,
  requestedMount,
  rootPropagation,
} from '../spec/mounts.ts';
import type { OciMount, OciNamespace, OciSpec } from '../spec/oci-spec.ts';
import { ociResources } from '../spec/resources.ts';
import { handlerOf } from '../spec/runtime-handler.ts';
import { seccompOf } from '../spec/seccomp.ts';
import type { ContainerUser } from '../spec/user.ts';

/** Everything a container's OCI configuration is made from. */
export interface ContainerSpecRequest {
  config: ContainerConfig;
  image: ImageConfig;
  sandbox: Sandbox;
  sandboxFolder: string;
  rootfs: string;
  user: ContainerUser;
  cgroupsPath: string;
  machine: MachineAbilities;
  profiles: ProfilesAtHand;
  /** Image volumes, already mounted on the machine. */
  imageMounts: readonly OciMount[];
  /** Volumes that the image itself declares. */
  declaredMounts: readonly OciMount[];
  /** The machine's paths behind the requested ones, links resolved. */
  hostPaths: ReadonlyMap<string, string>;
  /** Sources of mounts that are shown elsewhere for the container. */
  staged: ReadonlyMap<Mount, string>;
  /** Path of the process namespace to join, when the container does not get its own. */
  processNamespace: string | undefined;
}

const defaultPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The program and its arguments: a command replaces both of the image's, arguments only its Cmd. */
export function argumentsOf(config: ContainerConfig, image: ImageConfig): string[] {
  const entrypoint = image.entrypoint.length === 1 && image.entrypoint[0] === '' ? [] : image.entrypoint;
  const command = config.command.length > 0 ? config.command : entrypoint;
  const fallback = config.command.length > 0 ? [] : image.cmd;
  const all = [...command, ...(config.args.length > 0 ? config.args : fallback)];
  if (all.length === 0) {
    throw new RuntimeError('INVALID_ARGUMENT', 'neither the container nor its image names a command to run');
  }
  return all;
}

/** Later settings of the same name win, in the place of the first. */
function environmentOf({ config, image, sandbox }: ContainerSpecRequest): string[] {
  const merged = new Map<string, string>();
  const add = (entry: string) => merged.set(entry.slice(0, Math.max(entry.indexOf('='), 0)) || entry, entry);
  add(defaultPath);
  if (config.tty) add('TERM=xterm');
  add(`HOSTNAME=${sandboxHostname(sandbox.config)}`);
  for (const entry of image.env) add(entry);
  for (const { key, value } of config.envs) add(`${key}=${Buffer.from(value).toString()}`);
  return [...merged.values()];
}

/** How the container sees the machine: its own options, or the sandbox's when it has none. */
export function containerNamespaces(config: ContainerConfig, sandbox: Sandbox): Pick<NamespaceOption, 'pid'> {
  const own = config.linux?.securityContext?.namespaceOptions;
  return own ?? { pid: namespaceModes(sandbox.config).pid };
}

function namespacesOf({ sandbox, machine, config, processNamespace }: ContainerSpecRequest): OciNamespace[] {
  const { net, ipc, uts, user } = sandbox.namespaces;
  const list: OciNamespace[] = [{ type: 'mount' }];
  if (user) list.push({ type: 'user', path: user });
  if (net) list.push({ type: 'network', path: net });
  if (uts) list.push({ type: 'uts', path: uts });
  if (ipc) list.push({ type: 'ipc', path: ipc });
  const { pid } = containerNamespaces(config, sandbox);
  if (processNamespace !== undefined) list.push({ type: 'pid', path: processNamespace });
  else if (pid !== NamespaceMode.NODE) list.push({ type: 'pid' });
  const isPrivileged = config.linux?.securityContext?.privileged ?? false;
  if (machine.hasUnifiedCgroups && !isPrivileged) list.push({ type: 'cgroup' });
  return list;
}

function processOf(request: ContainerSpecRequest, capabilities: string[]): OciProcess {
  const { config, image, user, machine } = request;
  const context = config.linux?.securityContext;
  const score = config.linux?.resources?.oomScoreAdj ?? 0;
  const apparmorProfile = chooseProfile(context, request.profiles);
  return {
    terminal: config.tty,
    user: { uid: user.uid, gid: user.gid, additionalGids: user.groups },
    args: argumentsOf(config, image),
    env: environmentOf(request),
    cwd: config.workingDir || image.workingDir || '/',
    capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
    noNewPrivileges: context?.noNewPrivs ?? false,
    oomScoreAdj: Math.max(score, machine.oomScoreAdjMin),
    ...(apparmorProfile !== undefined && { apparmorProfile }),
  };
}

function sandboxMounts({ sandbox, sandboxFolder, config }: ContainerSpecRequest): OciMount[] {
  const access = config.linux?.securityContext?.readonlyRootfs ? 'ro' : 'rw';
  const file = (name: string) => join(sandboxFolder, name);
  const memory =
    namespaceModes(sandbox.config).ipc === NamespaceMode.NODE ? '/dev/shm' : file(sandboxFiles.sharedMemory);
  return [
    bind(file(sandboxFiles.hosts), '/etc/hosts', access),
    bind(file(sandboxFiles.hostname), '/etc/hostname', access),
    bind(file(sandboxFiles.resolvConf), '/etc/resolv.conf', access),
    bind(memory, '/dev/shm', 'nosuid', 'noexec', 'nodev', 'rw'),
  ];
}

/** The mounts of a request that show paths of the machine. */
export const hostMounts = (config: ContainerConfig): Mount[] =>
  config.mounts.filter(({ image }) => !image?.image);

/** The OCI configuration of a container. Throws `RuntimeError` INVALID_ARGUMENT for what cannot be run. */
export function containerSpec(request: ContainerSpecRequest): OciSpec {
  const { config, rootfs, machine, cgroupsPath } = request;
  const context = config.linux?.securityContext;
  const privileged = context?.privileged ?? false;
  const capabilities = containerCapabilities(context?.capabilities, {
    privileged,
    available: machine.capabilities,
  });
  const { devices, rules } = containerDevices(config.devices, privileged);
  const handler = handlerOf(machine.runtimeHandlers, request.sandbox.runtimeHandler);
  const { supportsRecursiveReadOnly } = handler ?? machine;
  const mounted = machineMounts();
  const requested = hostMounts(config).map((mount) => {
    const staged = request.staged.get(mount);
    const source = staged ?? request.hostPaths.get(mount.hostPath) ?? mount.hostPath;
    const isStaged = staged !== undefined;
    return requestedMount(mount, { source, isStaged, supportsRecursiveReadOnly, mounted });
  });
  return {
    ociVersion: '1.0.2',
    process: processOf(request, capabilities),
    root: { path: rootfs, readonly: context?.readonlyRootfs ?? false },
    mounts: orderMounts(
      [...defaultMounts(privileged), ...sandboxMounts(request)],
      [...requested, ...request.imageMounts, ...request.declaredMounts],
    ),
    ...scopeAnnotations(cgroupsPath),
    linux: {
      namespaces: namespacesOf(request),
      ...ociMappings(podUsers(request.sandbox.config)),
      devices,
      cgroupsPath,
      resources: { devices: rules, ...ociResources(config.linux?.resources, machine.cgroups) },
      rootfsPropagation: rootPropagation(config.mounts),
      seccomp: context ? seccompOf(context, capabilities) : undefined,
      maskedPaths: privileged ? [] : (context?.maskedPaths ?? []),
      readonlyPaths: privileged ? [] : (context?.readonlyPaths ?? []),
    },
  };
}
