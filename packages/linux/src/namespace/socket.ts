import { check, declare } from '../native.ts';
import { withNetworkNamespace } from './namespace.ts';

const nativeSocket = declare('int socket(int family, int type, int protocol)');

const streamType = 1;
const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;
const families = { unix: 1, ipv4: 2, ipv6: 10 } as const;

/** Address families of stream sockets. */
export type SocketFamily = keyof typeof families;

/** An unconnected, non-blocking stream socket of this thread's network namespace. */
export function openStreamSocket(family: SocketFamily): number {
  return check('socket', nativeSocket(families[family], streamType | nonBlocking | closeOnExec, 0), family);
}

/**
 * An unconnected TCP socket that lives in another network namespace for good; null means this one.
 * Connect it with `new net.Socket({ fd }).connect(…)`.
 */
export function openTcpSocketIn(networkNamespacePath: string | null, family: 'ipv4' | 'ipv6'): number {
  if (networkNamespacePath === null) return openStreamSocket(family);
  return withNetworkNamespace(networkNamespacePath, () => openStreamSocket(family));
}
