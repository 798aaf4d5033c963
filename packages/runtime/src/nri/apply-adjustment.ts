import { MountPropagation } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import type {
  ContainerAdjustment,
  Hooks,
  LinuxContainerAdjustment,
  LinuxDevice,
  LinuxResources,
  LinuxSeccomp,
} from '../generated/nri.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import { checkPropagation, machineMounts, orderMounts } from '../spec/mounts.ts';
import type {
  OciDevice,
  OciDeviceRule,
  OciHooks,
  OciLinuxResources,
  OciNamespace,
  OciSeccomp,
  OciSpec,
} from '../spec/oci-spec.ts';
import { type noAdjustment, removalOf } from './adjustments.ts';

const nameOf = (setting: string) => setting.slice(0, Math.max(setting.indexOf('='), 0)) || setting;

function environment(before: readonly string[], { env }: ContainerAdjustment): string[] {
  const settings = new Map(before.map((setting) => [nameOf(setting), setting]));
  for (const { key, value } of env) {
    const removed = removalOf(key);
    if (removed !== undefined) settings.delete(removed);
    else settings.set(key, `${key}=${value}`);
  }
  return [...settings.values()];
}

function byKey(
  before: Readonly<Record<string, string>> | undefined,
  change: Readonly<Record<string, string>>,
): Record<string, string> {
  const after = new Map(Object.entries(before ?? {}));
  for (const [key, value] of Object.entries(change)) {
    const removed = removalOf(key);
    if (removed !== undefined) after.delete(removed);
    else after.set(key, value);
  }
  return Object.fromEntries(after);
}

function hooksOf(before: OciHooks | undefined, hooks: Hooks | undefined): OciHooks | undefined {
  if (!hooks) return before;
  const after: OciHooks = { ...before };
  for (const name of Object.keys(hooks) as (keyof Hooks)[]) {
    const added = hooks[name].map(({ path, args, env, timeout }) => ({
      path,
      args: args.length > 0 ? args : undefined,
      env: env.length > 0 ? env : undefined,
      timeout: timeout?.value,
    }));
    if (added.length > 0) after[name] = [...(after[name] ?? []), ...added];
  }
  return after;
}

const propagations = ['rprivate', 'rslave', 'rshared'] as const;

function withMounts(spec: OciSpec, { mounts }: ContainerAdjustment): OciSpec {
  if (mounts.length === 0) return spec;
  const changed = new Set(mounts.map(({ destination }) => removalOf(destination) ?? destination));
  const added = mounts.filter(({ destination }) => removalOf(destination) === undefined);
  const mounted = machineMounts();
  let root = spec.linux.rootfsPropagation;
  for (const { source, options } of added) {
    const wanted = propagations.findLast((name) => options.includes(name));
    if (wanted === undefined || wanted === 'rprivate') continue;
    const isShared = wanted === 'rshared';
    checkPropagation(
      source,
      isShared ? MountPropagation.PROPAGATION_BIDIRECTIONAL : MountPropagation.PROPAGATION_HOST_TO_CONTAINER,
      mounted,
    );
    if (isShared || root !== 'rshared') root = wanted;
  }
  return {
    ...spec,
    mounts: orderMounts(
      spec.mounts.filter(({ destination }) => !changed.has(destination)),
      added.map(({ destination, type, source, options }) => ({
        destination,
        type: type || undefined,
        source: source || undefined,
        options,
      })),
    ),
    linux: { ...spec.linux, rootfsPropagation: root },
  };
}

const deviceTypes = ['c', 'b', 'u', 'p'] as const;

function deviceOf({ path, type, major, minor, fileMode, uid, gid }: LinuxDevice): OciDevice {
  const known = deviceTypes.find((name) => name === type);
  if (!known)
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `device "${path}" of an NRI plug-in: type "${type}", want c, b, u or p`,
    );
  return {
    path,
    type: known,
    major,
    minor,
    fileMode: (fileMode?.value ?? 0o666) & 0o7777,
    uid: uid?.value ?? 0,
    gid: gid?.value ?? 0,
  };
}

function ruleOf({ type, major, minor }: OciDevice): OciDeviceRule[] {
  if (type === 'p') return [];
  const kind = type === 'b' ? 'b' : 'c';
  return [{ allow: true, type: kind, major, minor, access: kind === 'b' ? 'rwm' : 'rw' }];
}

function limits(
  before: OciLinuxResources,
  resources: LinuxResources | undefined,
  { swap: countsSwap }: MachineAbilities['cgroups'],
): OciLinuxResources {
  if (!resources) return before;
  const { memory, cpu, pids, hugepageLimits, unified, devices } = resources;
  const limit = memory?.limit?.value;
  const swap = memory?.swap?.value ?? limit;
  const pages = new Map(
    [...(before.hugepageLimits ?? []), ...hugepageLimits].map((page) => [page.pageSize, page]),
  );
  const types = ['a', 'c', 'b'] as const;
  return {
    ...before,
    memory: {
      ...before.memory,
      ...(limit !== undefined && { limit }),
      ...(memory?.reservation && { reservation: memory.reservation.value }),
      ...(countsSwap && swap !== undefined && { swap }),
    },
    cpu: {
      ...before.cpu,
      ...(cpu?.shares && { shares: cpu.shares.value }),
      ...(cpu?.quota && { quota: cpu.quota.value }),
      ...(cpu?.period && { period: cpu.period.value }),
      ...(cpu?.cpus && { cpus: cpu.cpus }),
      ...(cpu?.mems && { mems: cpu.mems }),
    },
    ...(pages.size > 0 && { hugepageLimits: [...pages.values()] }),
    ...(Object.keys(unified).length > 0 && { unified: { ...before.unified, ...unified } }),
    ...(pids && { pids }),
    devices: [
      ...(before.devices ?? []),
      ...devices.map(({ allow, type, major, minor, access }): OciDeviceRule => {
        const known = types.find((name) => name === type);
        return {
          allow,
          ...(known && { type: known }),
          ...(major && { major: major.value }),
          ...(minor && { minor: minor.value }),
          access,
        };
      }),
    ],
  };
}

function seccompFrom(policy: LinuxSeccomp): OciSeccomp {
  return {
    defaultAction: policy.defaultAction,
    ...(policy.defaultErrno && { defaultErrnoRet: policy.defaultErrno.value }),
    architectures: policy.architectures,
    ...(policy.flags.length > 0 && { flags: policy.flags }),
    ...(policy.listenerPath !== '' && { listenerPath: policy.listenerPath }),
    ...(policy.listenerMetadata !== '' && { listenerMetadata: policy.listenerMetadata }),
    syscalls: policy.syscalls.map(({ names, action, errnoRet, args }) => ({
      names,
      action,
      ...(errnoRet && { errnoRet: errnoRet.value }),
      args: args.map(({ index, value, valueTwo, op }) => ({ index, value, valueTwo, op })),
    })),
  };
}

const namespaceTypes = ['pid', 'network', 'ipc', 'uts', 'mount', 'cgroup', 'user'] as const;

function namespacesOf(
  before: readonly OciNamespace[],
  change: LinuxContainerAdjustment['namespaces'],
): OciNamespace[] {
  const after = new Map(before.map((namespace) => [namespace.type, namespace]));
  for (const { type, path } of change) {
    const removed = removalOf(type);
    const known = namespaceTypes.find((name) => name === (removed ?? type));
    if (!known)
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `namespace "${type}" of an NRI plug-in: want ${namespaceTypes.join(', ')}`,
      );
    if (removed !== undefined) after.delete(known);
    else after.set(known, path === '' ? { type: known } : { type: known, path });
  }
  return [...after.values()];
}

function withLinux(spec: OciSpec, adjust: LinuxContainerAdjustment, machine: MachineAbilities): OciSpec {
  const { linux, process } = spec;
  const changed = new Set(adjust.devices.map(({ path }) => removalOf(path) ?? path));
  const added = adjust.devices.filter(({ path }) => removalOf(path) === undefined).map(deviceOf);
  const resources = limits(linux.resources, adjust.resources, machine.cgroups);
  const score = adjust.oomScoreAdj?.value;
  return {
    ...spec,
    process: {
      ...process,
      ...(score !== undefined && { oomScoreAdj: Math.max(score, machine.oomScoreAdjMin) }),
    },
    linux: {
      ...linux,
      namespaces: namespacesOf(linux.namespaces, adjust.namespaces),
      devices: [...linux.devices.filter(({ path }) => !changed.has(path)), ...added],
      cgroupsPath: adjust.cgroupsPath || linux.cgroupsPath,
      resources: { ...resources, devices: [...(resources.devices ?? []), ...added.flatMap(ruleOf)] },
      sysctl: byKey(linux.sysctl, adjust.sysctl),
      seccomp: adjust.seccompPolicy ? seccompFrom(adjust.seccompPolicy) : linux.seccomp,
    },
  };
}

/** A container's configuration as plug-ins want it, but for CDI devices. Throws `RuntimeError` for what cannot be. */
export function withAdjustment(
  spec: OciSpec,
  adjust: ReturnType<typeof noAdjustment>,
  machine: MachineAbilities,
): OciSpec {
  const { process } = spec;
  const wanted = new Set(adjust.rlimits.map(({ type }) => type));
  const rlimits = [...(process.rlimits ?? []).filter(({ type }) => !wanted.has(type)), ...adjust.rlimits];
  const changed: OciSpec = {
    ...spec,
    annotations: byKey(spec.annotations, adjust.annotations),
    process: {
      ...process,
      args: adjust.args.length > 0 ? adjust.args : process.args,
      env: environment(process.env ?? [], adjust),
      ...(rlimits.length > 0 && { rlimits }),
    },
    hooks: hooksOf(spec.hooks, adjust.hooks),
  };
  return withLinux(withMounts(changed, adjust), adjust.linux, machine);
}
