import { createHash } from 'node:crypto';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { type UserInfo, userInfo } from './identity.ts';

/** Tells in logs and reviews by what somebody was known. */
const credentialId = 'authentication.kubernetes.io/credential-id';
const known = new WeakMap<TLSSocket, Certified | null>();

interface Certified {
  user: UserInfo;
  endsAtMs: number;
}

/**
 * Who a connection's client certificate names: CN is the user, each O a group. Null without a certificate, or with
 * one that the client CA did not sign for clients, or that has ended since the connection was made.
 */
export function userOfCertificate(socket: TLSSocket, nowMs: number): UserInfo | null {
  let certified = known.get(socket);
  if (certified === undefined) {
    certified = socket.authorized ? readCertificate(socket.getPeerCertificate()) : null;
    known.set(socket, certified);
  }
  return certified && nowMs <= certified.endsAtMs ? certified.user : null;
}

/** True when the client sent a certificate, good or bad. */
export function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate() ?? {}).length > 0;
}

function readCertificate(certificate: PeerCertificate): Certified | null {
  const user = readSubject(certificate);
  return user && { user, endsAtMs: Date.parse(certificate.valid_to) };
}

function readSubject(certificate: PeerCertificate): UserInfo | null {
  const { CN: name, O: organizations } = certificate.subject ?? {};
  if (typeof name !== 'string' || name === '') return null;
  const memberships = organizations === undefined ? [] : [organizations].flat();
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  return { ...userInfo(name, memberships), extra: { [credentialId]: [`X509SHA256=${fingerprint}`] } };
}
