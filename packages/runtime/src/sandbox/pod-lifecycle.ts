import type { LinuxContainerResources } from '@wherry/cri';
import type { Sandbox } from './sandbox-record.ts';

/** Who has a say in pods' lives. Nothing is asked, and nothing waited for, while `isIdle`. */
export interface PodLifecycle {
  /** Nobody wants to know. */
  readonly isIdle: boolean;
  /** Keeps newcomers from being told what there is, until the pod that is being made is among it. */
  hold(): Promise<Disposable>;
  /** Throws `RuntimeError`, and then the pod is not run. */
  podRunning(sandbox: Sandbox): Promise<void>;
  podStopping(sandbox: Sandbox): Promise<void>;
  podRemoved(sandbox: Sandbox): Promise<void>;
  /** Throws `RuntimeError`, and then nothing is changed. */
  podUpdating(
    sandbox: Sandbox,
    change: { overhead: LinuxContainerResources | undefined; resources: LinuxContainerResources | undefined },
  ): Promise<void>;
  podUpdated(sandbox: Sandbox): Promise<void>;
}
