import { Socket } from 'node:net';
import { type ByteChannel, fromDuplex, orAborted, type WaitOptions } from '@wherry/bytes';
import { openTcpSocketIn } from '@wherry/linux';

const loopbacks = [
  ['ipv4', '127.0.0.1'],
  ['ipv6', '::1'],
] as const;

/**
 * Connects to a port on a pod's loopback, IPv4 first, then IPv6, as containerd does. The socket is made inside the
 * network namespace (null: the host's own) and belongs to it; no helper process is needed.
 * Rejects with both reasons when neither answers.
 */
export async function dialPod(
  networkNamespacePath: string | null,
  port: number,
  options: WaitOptions,
): Promise<ByteChannel> {
  const reasons: string[] = [];
  for (const [family, host] of loopbacks) {
    options.signal?.throwIfAborted();
    try {
      return fromDuplex(await connect({ networkNamespacePath, family, host, port, signal: options.signal }));
    } catch (error) {
      reasons.push(
        `${family === 'ipv4' ? 'IPv4' : 'IPv6'}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const place = networkNamespacePath === null ? 'on the host' : `inside namespace "${networkNamespacePath}"`;
  throw new Error(`failed to connect to localhost:${port} ${place}, ${reasons.join(' ')}`);
}

async function connect(target: {
  networkNamespacePath: string | null;
  family: 'ipv4' | 'ipv6';
  host: string;
  port: number;
  signal: AbortSignal | undefined;
}): Promise<Socket> {
  const fd = openTcpSocketIn(target.networkNamespacePath, target.family);
  const socket = new Socket({ fd, allowHalfOpen: true });
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.connect({ host: target.host, port: target.port });
  socket.setNoDelay(true);
  try {
    await orAborted(connected, target.signal);
    return socket;
  } catch (error) {
    connected.catch(() => {});
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}
