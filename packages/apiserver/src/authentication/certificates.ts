import { createHash } from 'node:crypto';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { ownValue } from '@wherry/kubeapi';
import type { ClientAuthorities } from './client-authorities.ts';
import { type UserInfo, userInfo } from './identity.ts';

/** Tells in logs and reviews by what somebody was known. */
const credentialId = 'authentication.kubernetes.io/credential-id';
/** What a subject has its user's uid by (upstream: kubernetes/pkg/apis/asn1). */
const uidType = '1.3.6.1.4.1.57683.2';
const known = new WeakMap<TLSSocket, Certified | null>();

interface Certified {
  user: UserInfo;
  endsAtMs: number;
}

/**
 * Who a connection's client certificate names: CN is the user, each O a group, and it may have a uid. Null without a
 * certificate, or with one that the client CA did not sign for clients, or that has ended since the connection was made.
 */
export function userOfCertificate(
  socket: TLSSocket,
  authorities: ClientAuthorities,
  nowMs: number,
): UserInfo | null {
  let certified = known.get(socket);
  if (certified === undefined) {
    certified = authorities.isOfClient(socket) ? readCertificate(socket.getPeerCertificate()) : null;
    known.set(socket, certified);
  }
  return certified && nowMs <= certified.endsAtMs ? certified.user : null;
}

/** When the certificate ends that {@link userOfCertificate} read on this connection. */
export const endOfCertificateMs = (socket: TLSSocket): number | undefined => known.get(socket)?.endsAtMs;

/** True when the client sent a certificate, good or bad. */
export function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate() ?? {}).length > 0;
}

function readCertificate(certificate: PeerCertificate): Certified | null {
  const user = readSubject(certificate);
  return user && { user, endsAtMs: Date.parse(certificate.valid_to) };
}

function readSubject(certificate: PeerCertificate): UserInfo | null {
  const subject: Readonly<Record<string, unknown>> = certificate.subject ?? {};
  const { CN: name, O: organizations } = certificate.subject ?? {};
  const uid = ownValue(subject, uidType) ?? '';
  if (typeof name !== 'string' || name === '') return null;
  // Several, or one that is empty, are a mistake of who signed.
  if (typeof uid !== 'string' || (uid === '' && Object.hasOwn(subject, uidType))) return null;
  const memberships = organizations === undefined ? [] : [organizations].flat();
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  return { ...userInfo(name, memberships), uid, extra: { [credentialId]: [`X509SHA256=${fingerprint}`] } };
}
