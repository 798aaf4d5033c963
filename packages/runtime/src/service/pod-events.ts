import { EventHub } from '@wherry/bytes';
import type { ContainerEventResponse, ContainerEventType, Input } from '@wherry/cri';
import type { ImageStore } from '@wherry/images';
import { toContainerStatus, toSandboxStatus } from '../answers/messages.ts';
import type { Container } from '../container/container-record.ts';
import type { ContainerStore } from '../container/container-store.ts';
import { limits } from '../limits.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';

/** Turns what happens to pods and containers into CRI's events, each with the whole pod's status. */
export class PodEvents {
  readonly hub = new EventHub<Input<ContainerEventResponse>>(limits.eventsPerReaderMax);
  readonly #options: {
    sandboxes: SandboxStore;
    containers: ContainerStore;
    images: ImageStore;
    clock: NanosecondClock;
  };

  constructor(options: {
    sandboxes: SandboxStore;
    containers: ContainerStore;
    images: ImageStore;
    clock: NanosecondClock;
  }) {
    this.#options = options;
  }

  /** Something happened to a container. */
  container({ id, sandboxId }: Container, type: ContainerEventType): void {
    const sandbox = this.#options.sandboxes.get(sandboxId);
    if (sandbox) this.#publish(sandbox, id, type);
  }

  /** Something happened to the sandbox itself: its id stands where a container's would. */
  sandbox(sandbox: Sandbox, type: ContainerEventType): void {
    this.#publish(sandbox, sandbox.id, type);
  }

  #publish(sandbox: Sandbox, containerId: string, containerEventType: ContainerEventType): void {
    if (!this.hub.hasReaders) return;
    const { containers, images, clock } = this.#options;
    this.hub.publish({
      containerId,
      containerEventType,
      createdAt: clock.now(),
      podSandboxStatus: toSandboxStatus(sandbox),
      containersStatuses: containers
        .ofSandbox(sandbox.id)
        .map((container) => toContainerStatus(container, images.catalog.get(container.imageId))),
    });
  }
}
