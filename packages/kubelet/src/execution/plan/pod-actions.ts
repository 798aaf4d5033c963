import { PodSandboxState } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { liveContainers, type PodRecord } from '../../observation/pod-record.ts';
import type { ContainerAmounts, Resizable } from '../../pod/container-amounts.ts';
import type { PodContainer } from '../../pod/containers.ts';
import type { ContainerKill } from './container-kills.ts';

/** A container whose resources change while it runs. */
export interface ContainerResize {
  containerId: string;
  container: Container;
  /** What it has, in step with what was done. */
  current: ContainerAmounts;
  /** What it is to have. */
  desired: ContainerAmounts;
}

/** A container that goes with all others of its pod. */
export interface ContainerReset {
  containerId: string;
  target: PodContainer;
  isLive: boolean;
}

/** What changes of the resources of a running pod, in order: those that shrink before those that grow. */
export interface PodResize extends Record<Resizable, ContainerResize[]> {
  /** The pod as a whole has to be made to fit, whatever its containers need. */
  wholePod: boolean;
}

/** What has to be done to bring a pod's containers to what its spec says. */
export interface PodActions {
  /** Stop every container and the sandbox. */
  killPod: boolean;
  /** Make a new sandbox (after {@link killPod}). */
  createSandbox: boolean;
  /** Say `SandboxChanged`. */
  announceSandbox: boolean;
  /** The present sandbox; '' when there is none. */
  sandboxId: string;
  /** Attempt number for the sandbox to create. */
  attempt: number;
  kill: ContainerKill[];
  /** Containers to start, in this order: ephemeral, init, regular. */
  start: PodContainer[];
  /** Containers to stop and remove, one after the other, for the pod to begin anew. */
  reset: ContainerReset[];
  resize: PodResize;
}

/** Whether nothing is to be done. */
export function isIdle(actions: PodActions): boolean {
  return (
    !actions.killPod &&
    !actions.createSandbox &&
    actions.kill.length === 0 &&
    actions.start.length === 0 &&
    actions.reset.length === 0 &&
    !resizes(actions)
  );
}

/**
 * Whether doing it can change what the runtime says. To stop a pod cannot when neither a sandbox nor a container runs; one
 * that was made and, as far as is known, not started stays as it is.
 */
export function changesAnything(actions: PodActions, record: PodRecord): boolean {
  const { killPod, ...others } = actions;
  const runs =
    liveContainers(record).length > 0 ||
    record.sandboxes.some(({ state }) => state === PodSandboxState.SANDBOX_READY);
  return (killPod && runs) || !isIdle({ ...others, killPod: false });
}

/** Whether resources of what runs are to change. */
export function resizes({ resize }: PodActions): boolean {
  return resize.wholePod || resize.memory.length > 0 || resize.cpu.length > 0;
}
