import { ownValue } from '@wherry/kubeapi';
import { hostPort } from './host-port.ts';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

/** A failed connection in the words of Go's net package, which users know from `kubectl describe`. */
export function dialError(error: Error, host: string, port: number | string): string {
  const reason = ownValue(reasons, (error as NodeJS.ErrnoException).code ?? '');
  return reason ? `dial tcp ${hostPort(host, port)}: ${reason}` : error.message;
}
