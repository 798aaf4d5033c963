import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { pemCertificates } from '../dialing/pem-certificates.ts';

const certificatesIn = (pem: Buffer): X509Certificate[] =>
  pemCertificates(pem.toString('latin1')).map((text) => new X509Certificate(text));

/**
 * Who signs certificates of clients, and who those of proxies that say themselves who asks. TLS trusts both alike, so that either kind
 * is asked for and shown; here they are told apart by who signed them. Node tells a server no more of what a client shows than its own
 * certificate: one with an authority in between is known where the file has that authority.
 */
export class ClientAuthorities {
  #clients: readonly X509Certificate[] = [];
  /** Undefined: no proxy is believed, and what TLS has verified is a client's. */
  #frontProxies: readonly X509Certificate[] | undefined;

  /** PEM of both; throws on certificates that can't be read. */
  take(clients: Buffer | undefined, frontProxies: Buffer | undefined): void {
    const [read, others] = [clients && certificatesIn(clients), frontProxies && certificatesIn(frontProxies)];
    this.#clients = read ?? [];
    this.#frontProxies = others;
  }

  /** Whether a connection's certificate is good, and one of a client. */
  isOfClient(socket: TLSSocket): boolean {
    if (!socket.authorized || this.#clients.length === 0) return false;
    return this.#frontProxies === undefined || isSignedBy(socket, this.#clients);
  }

  /** Whether a connection's certificate is good, and one of a front proxy. */
  isOfFrontProxy(socket: TLSSocket): boolean {
    return socket.authorized && this.#frontProxies !== undefined && isSignedBy(socket, this.#frontProxies);
  }
}

/** Whether one of these has signed what a client shows, or is it. What else there is to verify TLS has. */
function isSignedBy(socket: TLSSocket, authorities: readonly X509Certificate[]): boolean {
  const shown = socket.getPeerX509Certificate();
  if (!shown) return false;
  return authorities.some(
    (authority) =>
      authority.raw.equals(shown.raw) ||
      (authority.ca && shown.checkIssued(authority) && shown.verify(authority.publicKey)),
  );
}
