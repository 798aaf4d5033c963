import { connect } from 'node:net';
import { dialError } from './dial-error.ts';
import type { ProbeOutcome } from './probe-outcome.ts';

/** Connects to a port: a connection is success. */
export function tcpProbe(options: {
  host: string;
  port: number;
  timeoutSeconds: number;
}): Promise<ProbeOutcome> {
  const { host, port, timeoutSeconds } = options;
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutSeconds * 1_000 });
    const end = (result: ProbeOutcome['result'], output: string) => {
      socket.destroy();
      resolve({ result, output });
    };
    socket.once('connect', () => end('success', ''));
    socket.once('timeout', () => end('failure', `dial tcp ${host}:${port}: i/o timeout`));
    socket.once('error', (error) => end('failure', dialError(error, host, port)));
  });
}
