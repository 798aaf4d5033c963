import type { PodContainer } from '../../pod/containers.ts';
import type { ContainerKill } from './container-kills.ts';

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
}

/** Whether nothing is to be done. */
export function isIdle(actions: PodActions): boolean {
  return (
    !actions.killPod && !actions.createSandbox && actions.kill.length === 0 && actions.start.length === 0
  );
}
