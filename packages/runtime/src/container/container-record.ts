import {
  type ContainerConfig,
  decodeMessage,
  encodeMessage,
  type LinuxContainerResources,
} from '@wherry/cri';
import type { Digest } from '@wherry/images';
import type { CgroupDriver } from '../spec/cgroup-path.ts';
import type { ContainerUser } from '../spec/user.ts';
import type { ImageVolume } from '../volumes/image-volumes.ts';

/** Where a container stands. */
export type ContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** A container as it is kept. */
export interface Container {
  id: string;
  sandboxId: string;
  config: ContainerConfig;
  /** Limits in force: those of the request, changed by updates. */
  resources: LinuxContainerResources | undefined;
  imageId: Digest;
  /** A repository digest of the image, or its id when it has none: what pod statuses show. */
  imageRef: string;
  layerKeys: string[];
  user: ContainerUser;
  /** Number of the signal that asks it to stop. */
  stopSignal: number;
  logPath: string;
  cgroupsPath: string;
  cgroupDriver: CgroupDriver;
  imageVolumes: ImageVolume[];
  /** Its processes come back from a checkpoint, which lies in its folder until it is started. */
  isRestored?: boolean | undefined;
  state: ContainerState;
  createdAtNs: bigint;
  startedAtNs: bigint;
  finishedAtNs: bigint;
  exitCode: number;
  reason: string;
  message: string;
  pid: number;
  /** When the process started, in clock ticks since boot; 0 before. */
  startTicks: number;
}

type BigFields = 'createdAtNs' | 'startedAtNs' | 'finishedAtNs';
interface ContainerOnDisk extends Omit<Container, 'config' | BigFields> {
  config: string;
  createdAtNs: string;
  startedAtNs: string;
  finishedAtNs: string;
}

/** The record as one line of JSON; the configuration goes as CRI's own protobuf, so that it comes back identical. */
export function encodeContainer(container: Container): string {
  const onDisk: ContainerOnDisk = {
    ...container,
    config: Buffer.from(encodeMessage('ContainerConfig', container.config)).toString('base64'),
    createdAtNs: container.createdAtNs.toString(),
    startedAtNs: container.startedAtNs.toString(),
    finishedAtNs: container.finishedAtNs.toString(),
  };
  return JSON.stringify(onDisk);
}

/** Reads a record back. Throws on anything that {@link encodeContainer} did not write. */
export function decodeContainer(text: string): Container {
  const onDisk = JSON.parse(text) as ContainerOnDisk;
  return {
    ...onDisk,
    resources: onDisk.resources,
    config: decodeMessage(
      'ContainerConfig',
      Buffer.from(onDisk.config, 'base64'),
    ) as unknown as ContainerConfig,
    createdAtNs: BigInt(onDisk.createdAtNs),
    startedAtNs: BigInt(onDisk.startedAtNs),
    finishedAtNs: BigInt(onDisk.finishedAtNs),
  };
}
