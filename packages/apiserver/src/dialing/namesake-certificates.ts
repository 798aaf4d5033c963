import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { Dial } from './dial.ts';
import { pemCertificates } from './pem-certificates.ts';

/** Where a server is, and as whom it has to be known. */
export interface NamedServer {
  host: string;
  port: number;
  servername?: string | undefined;
  /** Default: from here. */
  dial?: Dial | undefined;
}

/**
 * Certificates whose subject is that of the authority that signed them, as knative's are: OpenSSL takes them for signed by
 * themselves, Go looks who has signed them. Once that is somebody of the bundle, the certificate itself is put into the
 * bundle, and judged by name, time and purpose as any other.
 */
export class NamesakeCertificates {
  /** PEM, by server and bundle. */
  readonly #known = new Map<string, string>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to trust of this server. */
  bundleFor(server: NamedServer, bundle: string): string {
    return `${bundle}\n${this.#known.get(keyOf(server, bundle)) ?? ''}`;
  }

  /** True when a connection failed by such a certificate, and {@link bundleFor} has it from now on. */
  async learn(error: unknown, server: NamedServer, bundle: string, signal: AbortSignal): Promise<boolean> {
    if ((error as NodeJS.ErrnoException).code !== 'DEPTH_ZERO_SELF_SIGNED_CERT') return false;
    const shown = await certificateOf(server, signal);
    const now = new Date(this.#clock.nowMs());
    const isSigned = certificatesOf(bundle).some(
      (authority) => isValid(authority, now) && authority.ca && isSignedBy(shown, authority),
    );
    const key = keyOf(server, bundle);
    const pem = shown?.toString() ?? '';
    if (!isSigned || this.#known.get(key) === pem) return false;
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= limits.namesakeCertificatesMax && oldest) this.#known.delete(oldest);
    this.#known.set(key, pem);
    return true;
  }
}

const keyOf = ({ host, port, servername = '' }: NamedServer, bundle: string) =>
  JSON.stringify([host, port, servername, bundle]);

const isSignedBy = (shown: X509Certificate | undefined, authority: X509Certificate): boolean =>
  shown?.checkIssued(authority) === true && shown.verify(authority.publicKey);

const isValid = ({ validFrom, validTo }: X509Certificate, now: Date) =>
  now >= new Date(validFrom) && now <= new Date(validTo);

function certificatesOf(bundle: string): X509Certificate[] {
  return pemCertificates(bundle).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** What the server shows, before anything is sent to it; undefined where it can't be had. */
async function certificateOf(server: NamedServer, signal: AbortSignal): Promise<X509Certificate | undefined> {
  const { host, port, servername, dial } = server;
  const dialled = dial && (await dial({ host, port, signal }).catch(() => undefined));
  if (dial && !dialled) return undefined;
  return new Promise((resolve) => {
    const socket: TLSSocket = connect({
      ...{ host, port, socket: dialled, rejectUnauthorized: false },
      ...(servername === undefined ? {} : { servername }),
    });
    const leave = onAbort(signal, () => end());
    const end = (certificate?: X509Certificate) => {
      leave();
      resolve(certificate);
      socket.destroy();
    };
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate()));
    socket.on('error', () => end());
    socket.once('close', () => end());
  });
}
