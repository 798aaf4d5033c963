import type { Readable, Writable } from 'node:stream';
import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { ContainerConfig, PodSandboxConfig } from '@wherry/cri';
import type { TerminalSize } from '@wherry/remotecommand';

/** A pod as the kubelet wants it. */
export interface ProvidedPod {
  /** Of this life of the pod: 64 hexadecimal digits, which no other has. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All that the kubelet said. */
  readonly config: PodSandboxConfig;
}

/** A file or folder of the machine that a container sees: volumes, tokens, its hosts file. */
export interface ProvidedMount {
  readonly hostPath: string;
  readonly containerPath: string;
  readonly isReadOnly: boolean;
}

/** A container as the kubelet wants it. */
export interface ProvidedContainer {
  /** 64 hexadecimal digits, which no other container has. */
  readonly id: string;
  readonly name: string;
  readonly pod: ProvidedPod;
  /** As {@link PodProvider.image} answered it. */
  readonly image: ProvidedImage;
  /** In place of the image's entry point; empty where the pod names none. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly ProvidedMount[];
  readonly hasTerminal: boolean;
  /** All that the kubelet said: resources, security context, devices. Whoever can't do as it says refuses it. */
  readonly config: ContainerConfig;
}

/** An image that can be had. */
export interface ProvidedImage {
  /** What the image is known by; two names with one id are one image. */
  id: string;
  sizeBytes: number;
}

/** A command that is run beside a container's own. */
export interface ExecCommand {
  /** Never empty. */
  readonly command: readonly string[];
  readonly hasTerminal: boolean;
}

/** The streams of a process. What is written waits for those who read: heed the writables' back-pressure. */
export interface ProcessIo {
  /** Ends with the client's input; null where nobody can write. */
  readonly stdin: Readable | null;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Sizes of the terminal that somebody looks at it with: the latest alone waits. Ends with the session. */
  readonly sizes: AsyncIterable<TerminalSize>;
}

/** What a process takes: `kubectl top`, autoscalers and evictions go by it. */
export interface ProvidedUsage {
  /** Processor time since its start, in nanoseconds, over all processors; 0 or more, and never less than before. */
  cpuNs: bigint;
  /** What would be free if it ended, in bytes; 0 or more. It counts as usage and as working set. */
  memoryBytes: number;
}

/** Something that runs. */
export interface ProvidedProcess {
  /** Its exit code, once it has ended and written all that it had to say. A rejection counts as 255, with its message. */
  readonly exited: Promise<number>;
  /** Asks it to end (15 and others, by signal(7)), or ends it (9): then `exited` has to settle. */
  signal(number: number): void;
  /**
   * What it takes now; asked for whenever somebody asks the kubelet, in most clusters every 10 to 15 s. Left out where nobody can say:
   * then its container has no figures, and its pod none either. One that takes longer than 2 s, throws, or tells no figures (less than 0, NaN)
   * leaves standing what was said before.
   */
  usage?(): ProvidedUsage | Promise<ProvidedUsage>;
}

/**
 * Runs pods as something else than Linux containers: threads, machines, calls of a service. Records, logs, exit codes, restarts,
 * sessions and their tokens are none of its business. What it throws is told by the pod's events, with the error's `code` where
 * that is one of gRPC's (`CriError`).
 */
export interface PodProvider {
  /** The node's runtime is `NAME://VERSION`. */
  readonly name: string;
  readonly version: string;
  /** Finds an image by the name that a pod has for it. Throws `CriError` NOT_FOUND where there is none. */
  image(name: string, options: WaitOptions): Promise<ProvidedImage>;
  /**
   * Makes room for a pod; its addresses are what its status says. Default: 127.0.0.1, for pods that listen in this process; none for
   * one with `hostNetwork`, whose status then says the node's.
   */
  startPod?(pod: ProvidedPod, options: WaitOptions): Promise<{ addresses: readonly string[] }>;
  /** The pod is over: its containers have ended. May be asked again. */
  stopPod?(pod: ProvidedPod, options: WaitOptions): Promise<void>;
  /**
   * Starts a container. Each is started once. The signal fires when it is to end before it has begun: what comes of the start all the
   * same is killed.
   */
  start(container: ProvidedContainer, io: ProcessIo, options: WaitOptions): Promise<ProvidedProcess>;
  /** Runs a command in a container that runs. The signal fires when its time is over, or its client has gone. Default: none can be run. */
  exec?(
    container: ProvidedContainer,
    command: ExecCommand,
    io: ProcessIo,
    options: WaitOptions,
  ): Promise<ProvidedProcess>;
  /** Connects to a port of a pod. Default: none can be reached. */
  connect?(pod: ProvidedPod, port: number, options: WaitOptions): Promise<ByteChannel>;
}
