import { ownValue } from '@wherry/kubeapi';
import { hostPort } from './host-port.ts';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

/** What became of a name that was asked for. */
const lookups: Record<string, string> = { ENOTFOUND: 'no such host', EAI_AGAIN: 'server misbehaving' };

/** A failed connection in the words of Go's net package, which users know from `kubectl describe`. */
export function dialError(error: Error, host: string, port: number | string): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const unknown = ownValue(lookups, code);
  if (unknown) return `dial tcp: lookup ${host}: ${unknown}`;
  const reason = ownValue(reasons, code);
  return reason ? `dial tcp ${hostPort(host, port)}: ${reason}` : error.message;
}
