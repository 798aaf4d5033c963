import { portForward as forwardPorts, parseForwardPort } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { parseTarget, waitForStart } from '../../kube/pod-target.ts';

/** Flags of `wherry port-forward`. */
export interface PortForwardFlags extends StreamFlags {
  address: string[];
  /** Milliseconds. */
  podRunningTimeout: number;
}

/** Forwards local ports to a pod, or to whichever pod stands behind a service or workload, until Ctrl-C. */
export async function portForward(
  targetText: string,
  ports: string[],
  flags: PortForwardFlags,
): Promise<void> {
  if (ports.length === 0) throw new CommandError('at least 1 PORT is required for port-forward');
  const wanted = ports.map(parseForwardPort);
  const client = clientFor(flags);
  const target = parseTarget(targetText, flags.namespace);
  await waitForStart(client, target, flags.podRunningTimeout);
  const forward = await forwardPorts(client, {
    target,
    ports: wanted,
    addresses: flags.address,
    transport: flags.transport,
    connection: ({ localPort }) => console.log(`Handling connection for ${localPort}`),
    failure: ({ localPort, remotePort }, error) =>
      console.error(`an error occurred forwarding ${localPort} -> ${remotePort}: ${error.message}`),
    notListening: (_port, { message }) => console.error(message),
    onReconnect: (pod) => console.error(`connection lost; forwarding to pod ${pod} now`),
  });
  for (const { address, localPort, remotePort } of forward.listeners) {
    const host = address.includes(':') ? `[${address}]` : address;
    console.log(`Forwarding from ${host}:${localPort} -> ${remotePort}`);
  }
  await interrupted();
  await forward.close();
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
