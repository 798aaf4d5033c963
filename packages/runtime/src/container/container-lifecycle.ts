import type { LinuxContainerResources } from '@wherry/cri';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { OciSpec } from '../spec/oci-spec.ts';
import type { Container } from './container-record.ts';

/** A container that is made, and the configuration that it will be started with. */
export interface MadeContainer {
  container: Container;
  spec: OciSpec;
}

/** Who has a say in containers' lives. Nothing is asked, and nothing waited for, while `isIdle`. */
export interface ContainerLifecycle {
  /** Nobody wants to know. */
  readonly isIdle: boolean;
  /** Keeps newcomers from being told what there is, until the container that is being made is among it. */
  hold(): Promise<Disposable>;
  /** A container as it is to be. Throws `RuntimeError`, and then it is not made. */
  adjust(made: MadeContainer, sandbox: Sandbox): Promise<MadeContainer>;
  /** A container that was adjusted was not made after all. */
  undone(made: MadeContainer, sandbox: Sandbox): Promise<void>;
  created(container: Container): Promise<void>;
  /** Throws `RuntimeError`, and then it is not started. */
  starting(container: Container): Promise<void>;
  started(container: Container): Promise<void>;
  /** What an update is to change. Throws `RuntimeError`, and then nothing is changed. */
  updating(container: Container, change: LinuxContainerResources): Promise<LinuxContainerResources>;
  updated(container: Container): Promise<void>;
  removed(container: Container): Promise<void>;
}
