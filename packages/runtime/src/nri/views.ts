import type { Input } from '@wherry/cri';
import type { Container as ContainerRecord } from '../container/container-record.ts';
import { type Container, ContainerState, type Hooks, type PodSandbox } from '../generated/nri.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { OciHook, OciSpec } from '../spec/oci-spec.ts';
import { hooksBy } from './hooks.ts';
import { fromOci, toResources } from './resources.ts';

/** A pod as plug-ins see it. */
export function podView({
  id,
  config,
  runtimeHandler,
  holderPid,
  namespaces,
  address,
  lastIps = [],
}: Sandbox): Input<PodSandbox> {
  const { metadata, labels, annotations, linux } = config;
  return {
    id,
    name: metadata?.name,
    uid: metadata?.uid,
    namespace: metadata?.namespace,
    labels,
    annotations,
    runtimeHandler,
    pid: holderPid ?? 0,
    ips: address ? [address.ip, ...address.additionalIps] : lastIps,
    linux: {
      podOverhead: toResources(linux?.overhead),
      podResources: toResources(linux?.resources),
      cgroupParent: linux?.cgroupParent,
      namespaces: Object.entries(namespaces).map(([kind, path]) => ({
        type: kind === 'net' ? 'network' : kind,
        path,
      })),
    },
  };
}

const states = {
  created: ContainerState.CONTAINER_CREATED,
  running: ContainerState.CONTAINER_RUNNING,
  exited: ContainerState.CONTAINER_STOPPED,
  unknown: ContainerState.CONTAINER_UNKNOWN,
} as const;

const hookView = ({ path, args = [], env = [], timeout }: OciHook): Hooks['prestart'][number] => ({
  path,
  args,
  env,
  timeout: timeout === undefined ? undefined : { value: timeout },
});

function hooksView(hooks: OciSpec['hooks']): Hooks | undefined {
  return hooks && hooksBy((phase) => (hooks[phase] ?? []).map(hookView));
}

function linuxView({ config }: ContainerRecord, { linux, process }: OciSpec): Input<Container['linux']> {
  const profile = config.linux?.securityContext?.seccomp;
  return {
    namespaces: linux.namespaces.map(({ type, path = '' }) => ({ type, path })),
    devices: linux.devices.map(({ path, type, major, minor, fileMode, uid, gid }) => ({
      ...{ path, type, major, minor },
      fileMode: { value: fileMode },
      uid: { value: uid },
      gid: { value: gid },
    })),
    resources: fromOci(linux.resources),
    oomScoreAdj: process.oomScoreAdj === undefined ? undefined : { value: process.oomScoreAdj },
    cgroupsPath: linux.cgroupsPath,
    seccompProfile: profile && {
      profileType: profile.profileType,
      localhostRef: profile.localhostRef,
    },
    seccompPolicy: linux.seccomp && {
      defaultAction: linux.seccomp.defaultAction,
      architectures: linux.seccomp.architectures ?? [],
      syscalls: linux.seccomp.syscalls.map(({ names, action, errnoRet, args = [] }) => ({
        names,
        action,
        errnoRet: errnoRet === undefined ? undefined : { value: errnoRet },
        args,
      })),
    },
    sysctl: linux.sysctl ?? {},
  };
}

/** A container as plug-ins see it; without its configuration when that is gone with its folder. */
export function containerView(container: ContainerRecord, spec: OciSpec | undefined): Input<Container> {
  const { id, sandboxId, config, user } = container;
  return {
    id,
    podSandboxId: sandboxId,
    name: config.metadata?.name,
    state: states[container.state],
    labels: config.labels,
    annotations: { ...config.annotations, ...spec?.annotations },
    args: spec?.process.args,
    env: spec?.process.env,
    mounts: spec?.mounts.map(({ destination, type, source, options }) => ({
      ...{ destination, options },
      type: type ?? '',
      source: source ?? '',
    })),
    hooks: hooksView(spec?.hooks),
    linux: spec && linuxView(container, spec),
    pid: container.pid,
    rlimits: spec?.process.rlimits,
    createdAt: container.createdAtNs,
    startedAt: container.startedAtNs,
    finishedAt: container.finishedAtNs,
    exitCode: container.exitCode,
    statusReason: container.reason,
    statusMessage: container.message,
    cdiDevices: config.cdiDevices.map(({ name }) => ({ name })),
    user: { uid: user.uid, gid: user.gid, additionalGids: user.groups },
    image: {
      name: config.image?.userSpecifiedImage || config.image?.image,
      digest: container.imageRef,
      configDigest: container.imageId,
    },
  };
}
