import {
  ContainerState,
  type Container as CriContainer,
  type ContainerStatus as CriContainerStatus,
  type Image as CriImage,
  type PodSandbox as CriSandbox,
  type PodSandboxStatus as CriSandboxStatus,
  type Input,
  PodSandboxState,
  signalOfNumber,
} from '@wherry/cri';
import { calledBy, type StoredImage } from '@wherry/images';
import type { Container } from '../container/container-record.ts';
import { namespaceModes } from '../sandbox/sandbox-files.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';

const states = {
  created: ContainerState.CONTAINER_CREATED,
  running: ContainerState.CONTAINER_RUNNING,
  exited: ContainerState.CONTAINER_EXITED,
  unknown: ContainerState.CONTAINER_UNKNOWN,
} as const;

/** A container's state in CRI's numbers. */
export const criState = (container: Container): ContainerState => states[container.state];

/** A sandbox's state in CRI's numbers. */
export const criSandboxState = ({ ready }: Sandbox): PodSandboxState =>
  ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY;

/** A sandbox as lists show it. */
export function toSandbox(sandbox: Sandbox): Input<CriSandbox> {
  const { id, config, createdAtNs, runtimeHandler } = sandbox;
  return {
    id,
    metadata: config.metadata,
    state: criSandboxState(sandbox),
    createdAt: createdAtNs,
    labels: config.labels,
    annotations: config.annotations,
    runtimeHandler,
  };
}

/** A sandbox with its network and namespaces. */
export function toSandboxStatus(sandbox: Sandbox): Input<CriSandboxStatus> {
  const { address, config } = sandbox;
  const options = { ...config.linux?.securityContext?.namespaceOptions, ...namespaceModes(config) };
  return {
    ...toSandbox(sandbox),
    network: { ip: address?.ip ?? '', additionalIps: address?.additionalIps.map((ip) => ({ ip })) ?? [] },
    linux: { namespaces: { options } },
  };
}

/** A container as lists show it. */
export function toContainer(container: Container): Input<CriContainer> {
  const { id, sandboxId, config, createdAtNs, imageId, imageRef } = container;
  return {
    id,
    podSandboxId: sandboxId,
    metadata: config.metadata,
    image: config.image,
    imageRef,
    imageId,
    state: criState(container),
    createdAt: createdAtNs,
    labels: config.labels,
    annotations: config.annotations,
  };
}

/** A container in full; `image` is what its image is called now. */
export function toContainerStatus(
  container: Container,
  image: StoredImage | undefined,
): Input<CriContainerStatus> {
  const { config, user } = container;
  const asked = config.image?.userSpecifiedImage ?? '';
  const name = (image && calledBy(image, asked)) ?? asked;
  return {
    ...toContainer(container),
    startedAt: container.startedAtNs,
    finishedAt: container.finishedAtNs,
    exitCode: container.exitCode,
    reason: container.reason,
    message: container.message,
    image: { ...config.image, image: name || config.image?.image || container.imageId },
    mounts: mountsOf(container),
    logPath: container.logPath,
    resources: container.resources ? { linux: container.resources } : undefined,
    user: { linux: { uid: user.uid, gid: user.gid, supplementalGroups: user.groups } },
    stopSignal: signalOfNumber(container.stopSignal),
  };
}

/** The request's mounts, unchanged but for the images' ids. */
function mountsOf({ config, imageVolumes }: Container): Input<CriContainerStatus>['mounts'] {
  return config.mounts.map((mount) => {
    const volume = imageVolumes.find(({ containerPath }) => containerPath === mount.containerPath);
    return volume ? { ...mount, image: { ...mount.image, imageRef: volume.imageId } } : mount;
  });
}

/** An image; a user that is a number is told as such, a name as a name (and a group is left out). */
export function toImage(image: StoredImage): Input<CriImage> {
  const user = image.config.user.split(':')[0] ?? '';
  const isNumber = /^\d+$/.test(user);
  return {
    id: image.id,
    repoTags: image.tags,
    repoDigests: image.digests,
    size: image.sizeBytes,
    uid: isNumber ? { value: Number(user) } : undefined,
    username: isNumber ? '' : user,
    spec: { image: image.tags[0] ?? image.digests[0] ?? image.id },
    pinned: image.pinned,
  };
}
