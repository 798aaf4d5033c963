import { createHash } from 'node:crypto';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { type UserInfo, userInfo } from './identity.ts';

/** Tells in logs and reviews by what somebody was known. */
const credentialId = 'authentication.kubernetes.io/credential-id';
const known = new WeakMap<TLSSocket, UserInfo | null>();

/**
 * Who a connection's client certificate names: CN is the user, each O a group. Null without a certificate, or with
 * one that the client CA did not sign for clients.
 */
export function userOfCertificate(socket: TLSSocket): UserInfo | null {
  let user = known.get(socket);
  if (user === undefined) {
    user = socket.authorized ? readSubject(socket.getPeerCertificate()) : null;
    known.set(socket, user);
  }
  return user;
}

/** True when the client sent a certificate, good or bad. */
export function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate() ?? {}).length > 0;
}

function readSubject(certificate: PeerCertificate): UserInfo | null {
  const { CN: name, O: organizations } = certificate.subject ?? {};
  if (typeof name !== 'string' || name === '') return null;
  const memberships = organizations === undefined ? [] : [organizations].flat();
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  return { ...userInfo(name, memberships), extra: { [credentialId]: [`X509SHA256=${fingerprint}`] } };
}
