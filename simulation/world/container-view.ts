/** A container as it is, whatever its runtime says. */
export interface SeenContainer {
  id: string;
  name: string;
  podUid: string;
  isRunning: boolean;
  exitCode: number;
}

/** The containers of a world, seen from outside, whichever runtime holds them. */
export interface ContainerView {
  /** All that are kept, the oldest first. */
  list(): SeenContainer[];
  /** Ends a container's process. */
  end(id: string, exitCode: number): void;
  /** The machine is restarted: nothing runs any more, and with our monitor mounts, control groups and sockets are gone. */
  endAll(): void;
  /** Whether a pod has a sandbox that can take containers. */
  hasSandbox(podUid: string): boolean;
  /** Told of each process that begins. */
  onStarted: (container: SeenContainer) => void;
  /** How a container's process ended; undefined while it runs, or when nobody can know. */
  exitCodeOf(id: string): number | undefined;
  /** What is said of containers that is not so, at any time. */
  problems(): string[];
  /** Processes that nobody answers for, once everything is at rest. */
  strays(): string[];
  /** What is left once there are no pods. */
  leftovers(): string[];
}

export const runningOf = (view: ContainerView): SeenContainer[] =>
  view.list().filter(({ isRunning }) => isRunning);
