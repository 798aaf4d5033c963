import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { ownValue } from '@wherry/kubeapi';

const connections: Record<string, string> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
  ENOENT: 'connect: no such file or directory',
  EACCES: 'connect: permission denied',
};

const lookups: Record<string, string> = { ENOTFOUND: 'no such host', EAI_AGAIN: 'server misbehaving' };

const unknownAuthority = 'x509: certificate signed by unknown authority';
const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
};

/** What Node's errors of connections and handshakes carry. */
interface Failure extends NodeJS.ErrnoException {
  address?: string;
  port?: number;
  hostname?: string;
  host?: string;
  cert?: PeerCertificate;
}

/** Why a server was not reached or not believed, in the words of Go's net and crypto/x509, by which people look for help. */
export function dialFailure(error: Error): string {
  const { code = '', address = '', port, hostname = '', host = '', cert }: Failure = error;
  const connection = ownValue(connections, code);
  if (connection && address.startsWith('/')) return `dial unix ${address}: ${connection}`;
  if (connection && address !== '')
    return `dial tcp ${isIP(address) === 6 ? `[${address}]` : address}:${port}: ${connection}`;
  const lookup = ownValue(lookups, code);
  if (lookup && hostname !== '') return `dial tcp: lookup ${hostname}: ${lookup}`;
  const certificate =
    code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? misnamed(host, cert) : ownValue(certificates, code);
  return certificate ? `tls: failed to verify certificate: ${certificate}` : error.message;
}

function misnamed(host: string, cert: PeerCertificate | undefined): string {
  const names = namesOf(cert, isIP(host) === 0 ? 'DNS:' : 'IP Address:');
  if (names.length > 0) return `x509: certificate is valid for ${names.join(', ')}, not ${host}`;
  return isIP(host) === 0
    ? `x509: certificate is not valid for any names, but wanted to match ${host}`
    : `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}

const namesOf = (cert: PeerCertificate | undefined, kind: string): string[] =>
  (cert?.subjectaltname ?? '')
    .split(', ')
    .filter((name) => name.startsWith(kind))
    .map((name) => name.slice(kind.length));
