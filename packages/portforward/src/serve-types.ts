import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { LiveSession, Logger } from '@wherry/telemetry';

/** What serving needs to know, whatever carries the session. */
export interface PortForwardService {
  /** Connects to a port inside the pod. A rejection ends that one connection, with its message. */
  dial(port: number, options: WaitOptions): Promise<ByteChannel>;
  /** Names the pod in error texts. */
  podName: string;
  streamCreationTimeoutMs: number;
  idleTimeoutMs: number;
  /** Ends the session in order. */
  signal?: AbortSignal | undefined;
  /** Told of what passes through each port. */
  session?: LiveSession | undefined;
  clock: Clock;
  logger: Logger;
}

/** What became of the connections of one session. */
export interface ConnectionCounts {
  /** Connections asked for. */
  connections: number;
  /** Of those, how many could not be made, or broke. */
  failures: number;
}

/** Upstream's text for a connection that failed (k8s.io/cri-streaming, portforward); a CRI server knows no uid. */
export function failureText(port: number, podName: string, error: Error): string {
  return `error forwarding port ${port} to pod ${podName}, uid : ${error.message}`;
}
