import type { Clock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { Container, Probe } from '@wherry/kubeapi';
import { expandAll } from '../environment/expand.ts';
import { execProbe } from './exec-probe.ts';
import { grpcProbe } from './grpc-probe.ts';
import { httpProbe } from './http-probe.ts';
import { portNumber } from './http-target.ts';
import { ProbeError, type ProbeOutcome } from './probe-outcome.ts';
import { tcpProbe } from './tcp-probe.ts';

/** What a probe is run against. */
export interface ProbeContext {
  runtime: CriClient['runtime'];
  container: Container;
  containerId: string;
  podIp: string;
  clock: Clock;
}

/** Runs a probe once by its kind. Throws {@link ProbeError} when it can't be run. */
export async function runProbe(probe: Probe, context: ProbeContext): Promise<ProbeOutcome> {
  const { container, containerId, podIp, runtime, clock } = context;
  const timeoutSeconds = probe.timeoutSeconds || 1;
  if (probe.exec) {
    const command = expandCommand(probe.exec.command ?? [], container);
    return execProbe({ command }, { runtime, containerId, timeoutSeconds });
  }
  if (probe.httpGet) return httpProbe(probe.httpGet, { podIp, container, timeoutSeconds, clock });
  if (probe.tcpSocket) {
    const port = namedPort(probe.tcpSocket.port, container);
    return tcpProbe({ host: probe.tcpSocket.host || podIp, port, timeoutSeconds, clock });
  }
  if (probe.grpc) {
    return grpcProbe({
      host: podIp,
      port: probe.grpc.port,
      service: probe.grpc.service ?? '',
      timeoutSeconds,
      clock,
    });
  }
  throw new ProbeError('missing probe handler');
}

/** `$(NAME)` stands for what the container's spec itself says: values from elsewhere are empty here, as upstream's are. */
function expandCommand(command: readonly string[], { env = [] }: Container): string[] {
  const values = new Map(env.map(({ name, value = '' }) => [name, value]));
  return expandAll(command, (name) => values.get(name));
}

function namedPort(port: number | string, container: Container): number {
  try {
    return portNumber(port, container);
  } catch (error) {
    throw new ProbeError((error as Error).message, { cause: error });
  }
}
