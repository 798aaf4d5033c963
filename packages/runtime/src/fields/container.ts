import type {
  Capability,
  CDIDevice,
  ContainerConfig,
  ContainerMetadata,
  Device,
  ImageSpec,
  KeyValue,
  LinuxContainerConfig,
  LinuxContainerSecurityContext,
  Mount,
} from '@wherry/cri';
import { isHandler } from '../spec/runtime-handler.ts';
import { selinuxOptions, windows } from './sandbox.ts';
import {
  actedOn,
  type FieldVerdict,
  type MessageVerdicts,
  noEffect,
  refused,
  refusedBy,
  refusedWhen,
} from './verdict.ts';

const spec = actedOn('container/container-spec');
const user = actedOn('spec/user');
const start = actedOn('container/container-service');
const refusedCdi = refusedBy(
  'cdi/device-name',
  'CDI devices in a pod with a user namespace',
  'cannot be had in a pod with a user namespace of its own',
);
const idMaps = {
  ...actedOn('container/staged-mounts'),
  ...refusedBy(
    'container/staged-mounts',
    "all but the mappings of the pod's user namespace",
    "its mappings must be those of the pod's user namespace",
  ),
};

export const containerConfig: MessageVerdicts<ContainerConfig> = {
  metadata: actedOn('container/container-store'),
  image: actedOn('container/container-factory'),
  command: spec,
  args: spec,
  workingDir: spec,
  envs: spec,
  mounts: actedOn('container/container-spec', 'container/container-factory'),
  devices: spec,
  labels: actedOn('answers/messages', 'answers/filters'),
  annotations: { ...actedOn('answers/messages', 'cdi/device-name'), ...refusedCdi },
  logPath: actedOn('container/container-factory'),
  stdin: start,
  stdinOnce: start,
  tty: actedOn('container/container-service', 'container/container-spec'),
  linux: spec,
  windows,
  cdiDevices: { ...actedOn('cdi/device-name'), ...refusedCdi },
  stopSignal: actedOn('container/container-factory'),
};

export const containerMetadata: MessageVerdicts<ContainerMetadata> = {
  name: actedOn('container/container-store'),
  attempt: actedOn('container/container-store'),
};

export const imageSpec: MessageVerdicts<ImageSpec> = {
  image: actedOn('service/image-handlers', 'container/container-factory'),
  annotations: noEffect('none is known that changes an image'),
  userSpecifiedImage: actedOn('answers/messages'),
  runtimeHandler: refusedWhen<string>(
    'any that is not configured',
    (name, { runtimeHandlers }) => !isHandler(runtimeHandlers, name),
    'there is no runtime handler of that name',
  ),
  imageRef: noEffect('told by the runtime in answers; in a request it says what `image` says'),
};

export const keyValue: MessageVerdicts<KeyValue> = { key: spec, value: spec };

const mounts = actedOn('spec/mounts');
const relabel: FieldVerdict<boolean> = refusedWhen(
  'where the kernel has SELinux on',
  (wanted, { hasSelinux }) => wanted && hasSelinux,
  'SELinux labels are not supported by this runtime, and SELinux is on here',
);

export const mount: MessageVerdicts<Mount> = {
  containerPath: mounts,
  hostPath: mounts,
  readonly: mounts,
  selinuxRelabel: relabel,
  propagation: mounts,
  uidMappings: idMaps,
  gidMappings: idMaps,
  recursiveReadOnly: mounts,
  image: actedOn('volumes/image-volumes'),
  imageSubPath: actedOn('volumes/image-volumes'),
  mountOptions: mounts,
};

export const device: MessageVerdicts<Device> = {
  containerPath: actedOn('spec/devices'),
  hostPath: actedOn('spec/devices'),
  permissions: actedOn('spec/devices'),
};

export const cdiDevice: MessageVerdicts<CDIDevice> = {
  name: {
    ...actedOn('cdi/device-folders'),
    ...refusedBy('cdi/device-name', 'what is no `VENDOR/CLASS=NAME`', 'is no CDI device'),
  },
};

export const linuxContainerConfig: MessageVerdicts<LinuxContainerConfig> = {
  resources: spec,
  securityContext: spec,
};

const apparmor = {
  ...actedOn('apparmor/choose-profile'),
  ...refusedBy(
    'apparmor/choose-profile',
    'any where the kernel has no AppArmor; `RuntimeDefault` without apparmor_parser; `Localhost` that is not loaded',
    'the machine has no such profile',
  ),
};

export const linuxContainerSecurityContext: MessageVerdicts<LinuxContainerSecurityContext> = {
  capabilities: spec,
  privileged: actedOn('container/container-spec', 'service/runtime-handlers'),
  namespaceOptions: actedOn('container/container-spec', 'container/container-factory'),
  selinuxOptions,
  runAsUser: user,
  runAsGroup: user,
  runAsUsername: user,
  readonlyRootfs: spec,
  supplementalGroups: user,
  supplementalGroupsPolicy: user,
  noNewPrivs: spec,
  maskedPaths: spec,
  readonlyPaths: spec,
  seccomp: actedOn('spec/seccomp'),
  apparmor,
  apparmorProfile: apparmor,
  seccompProfilePath: actedOn('spec/seccomp'),
};

export const capability: MessageVerdicts<Capability> = {
  addCapabilities: actedOn('spec/capabilities'),
  dropCapabilities: actedOn('spec/capabilities'),
  addAmbientCapabilities: refused(
    'ambient capabilities are not supported; containerd takes them away without a word',
  ),
};
