import type {
  AttachRequest,
  AuthConfig,
  CheckpointContainerRequest,
  ContainerFilter,
  ContainerStateValue,
  ContainerStatsFilter,
  CreateContainerRequest,
  ExecRequest,
  ExecSyncRequest,
  ImageFilter,
  NetworkConfig,
  PodSandboxFilter,
  PodSandboxStateValue,
  PodSandboxStatsFilter,
  PortForwardRequest,
  PullImageRequest,
  RunPodSandboxRequest,
  RuntimeConfig,
  StopContainerRequest,
  UpdateContainerResourcesRequest,
  UpdatePodSandboxResourcesRequest,
  UpdateRuntimeConfigRequest,
  VersionRequest,
} from '@wherry/cri';
import { windows } from './sandbox.ts';
import { actedOn, type FieldVerdict, type MessageVerdicts, noEffect } from './verdict.ts';

const handlers = actedOn('service/runtime-handlers');
const images = actedOn('service/image-handlers');
const exec = actedOn('service/exec-service');
const filters = actedOn('answers/filters');
/** In the package of images. */
const registry: FieldVerdict<unknown> = { actedOn: ['images/registry/credentials'] };

export const versionRequest: MessageVerdicts<VersionRequest> = {
  version: noEffect('the answer is the same whatever version the caller has; there is one, v1'),
};

/** Requests that name one sandbox, and no more than whether to tell a lot. */
export const ofSandbox: Readonly<Record<string, FieldVerdict<unknown>>> = {
  podSandboxId: handlers,
  verbose: handlers,
};

/** Requests that name one container, likewise. */
export const ofContainer: Readonly<Record<string, FieldVerdict<unknown>>> = {
  containerId: handlers,
  verbose: handlers,
};

export const runPodSandbox: MessageVerdicts<RunPodSandboxRequest> = {
  config: handlers,
  runtimeHandler: actedOn('sandbox/sandbox-service'),
};

export const createContainer: MessageVerdicts<CreateContainerRequest> = {
  podSandboxId: handlers,
  config: handlers,
  // Beside `privileged` it says again what RunPodSandbox said.
  sandboxConfig: handlers,
};

export const stopContainer: MessageVerdicts<StopContainerRequest> = {
  containerId: handlers,
  timeout: handlers,
};

export const updateContainer: MessageVerdicts<UpdateContainerResourcesRequest> = {
  containerId: handlers,
  linux: handlers,
  windows,
  annotations: noEffect('for plug-ins of a runtime; there are none here'),
};

export const updateSandbox: MessageVerdicts<UpdatePodSandboxResourcesRequest> = {
  podSandboxId: handlers,
  overhead: noEffect(
    'the caller keeps the control group of the pod; what it says is recorded with the sandbox',
  ),
  resources: noEffect('as `overhead`'),
};

export const checkpointContainer: MessageVerdicts<CheckpointContainerRequest> = {
  containerId: handlers,
  location: handlers,
  timeout: handlers,
};

export const execSync: MessageVerdicts<ExecSyncRequest> = {
  containerId: handlers,
  cmd: handlers,
  timeout: handlers,
};

export const execRequest: MessageVerdicts<ExecRequest> = {
  containerId: exec,
  cmd: exec,
  tty: exec,
  stdin: exec,
  stdout: exec,
  stderr: exec,
};

export const attach: MessageVerdicts<AttachRequest> = {
  containerId: exec,
  stdin: exec,
  tty: exec,
  stdout: exec,
  stderr: exec,
};

export const portForward: MessageVerdicts<PortForwardRequest> = { podSandboxId: exec, port: exec };

/** Lists have a filter and nothing else. */
export const list: Readonly<Record<string, FieldVerdict<unknown>>> = { filter: handlers };

export const sandboxFilter: MessageVerdicts<PodSandboxFilter> = {
  id: filters,
  state: filters,
  labelSelector: filters,
};

export const containerFilter: MessageVerdicts<ContainerFilter> = {
  id: filters,
  state: filters,
  podSandboxId: filters,
  labelSelector: filters,
};

export const sandboxStatsFilter: MessageVerdicts<PodSandboxStatsFilter> = {
  id: filters,
  labelSelector: filters,
};

export const containerStatsFilter: MessageVerdicts<ContainerStatsFilter> = {
  id: filters,
  podSandboxId: filters,
  labelSelector: filters,
};

export const stateValue: MessageVerdicts<PodSandboxStateValue> & MessageVerdicts<ContainerStateValue> = {
  state: filters,
};

export const updateRuntimeConfig: MessageVerdicts<UpdateRuntimeConfigRequest> = { runtimeConfig: handlers };
export const runtimeConfig: MessageVerdicts<RuntimeConfig> = { networkConfig: handlers };
export const networkConfig: MessageVerdicts<NetworkConfig> = { podCidr: handlers };

export const imageList: Readonly<Record<string, FieldVerdict<unknown>>> = { filter: images };
export const imageFilter: MessageVerdicts<ImageFilter> = { image: images };

/** Requests that name one image. */
export const ofImage: Readonly<Record<string, FieldVerdict<unknown>>> = { image: images, verbose: images };

export const pullImage: MessageVerdicts<PullImageRequest> = {
  image: images,
  auth: images,
  sandboxConfig: noEffect('for runtimes whose handlers pull differently; there is one handler here'),
};

export const authConfig: MessageVerdicts<AuthConfig> = {
  username: registry,
  password: registry,
  auth: registry,
  serverAddress: registry,
  identityToken: registry,
  registryToken: registry,
};
