import type { ContainerStatus } from './container.ts';

/** What happened to a container. */
export type ContainerEventType = 'created' | 'started' | 'exited' | 'deleted';

/** One step of one container's life, numbered without gaps within one `stream`. */
export interface ContainerEvent {
  /** Names the monitor process that numbered it: sequence numbers start again with each monitor. */
  stream: string;
  sequence: number;
  type: ContainerEventType;
  timeNs: bigint;
  /** The container right after the event. */
  container: ContainerStatus;
}

/** Where to go on reading: the last event seen. */
export interface EventPosition {
  stream: string;
  sequence: number;
}

/**
 * What a subscription yields. `resync` comes first, and again whenever events may have been missed (another monitor,
 * a gap longer than its memory): the reader should take `containers` as the truth and go on from there.
 */
export type EventMessage =
  | { kind: 'event'; event: ContainerEvent }
  /** A reader that came back has had everything up to `position`: nothing was missed. */
  | { kind: 'current'; position: EventPosition }
  | { kind: 'resync'; position: EventPosition; containers: ContainerStatus[] };
