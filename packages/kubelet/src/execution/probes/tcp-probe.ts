import { connect } from 'node:net';
import type { Clock } from '@wherry/clock';
import { dialError } from './dial-error.ts';
import { hostPort } from './host-port.ts';
import type { ProbeOutcome } from './probe-outcome.ts';

/** Connects to a port: a connection is success. */
export function tcpProbe(options: {
  host: string;
  port: number;
  timeoutSeconds: number;
  clock: Clock;
}): Promise<ProbeOutcome> {
  const { host, port, timeoutSeconds, clock } = options;
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (result: ProbeOutcome['result'], output: string) => {
      timer.cancel();
      socket.destroy();
      resolve({ result, output });
    };
    const timer = clock.after(timeoutSeconds * 1_000, () =>
      end('failure', `dial tcp ${hostPort(host, port)}: i/o timeout`),
    );
    socket.once('connect', () => end('success', ''));
    socket.once('error', (error) => end('failure', dialError(error, host, port)));
  });
}
