import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { NamedCertificate } from '../options.ts';
import { readingSettings } from '../settings-error.ts';

/** Certificates by the names that clients say, as Go's server chooses among them. */
export class NamedCertificates {
  readonly #contexts = new Map<string, SecureContext>();
  readonly #all: { certificate: X509Certificate; context: SecureContext }[] = [];
  readonly #usual: X509Certificate;

  /**
   * `files` are a certificate and a key for each of `named`, `usual` is what is shown else, and what they have in common. Of several
   * for one name the first counts. Throws {@link SettingsError} on a pair that is of no use.
   */
  constructor(named: readonly NamedCertificate[], files: readonly Buffer[], usual: SecureContextOptions) {
    this.#usual = new X509Certificate(usual.cert as Buffer);
    const own = new Map<string, SecureContext>();
    for (const [index, { certFile, keyFile, names }] of named.entries()) {
      const [cert, key] = files.slice(2 * index);
      const what = `the serving certificate "${certFile}" with the key "${keyFile}"`;
      readingSettings(what, () => {
        const context = createSecureContext({ ...usual, cert, key });
        const certificate = new X509Certificate(cert!);
        this.#all.push({ certificate, context });
        const into = names ? this.#contexts : own;
        for (const name of names ?? ownNames(certificate))
          if (!into.has(name.toLowerCase())) into.set(name.toLowerCase(), context);
      });
    }
    for (const [name, context] of own) if (!this.#contexts.has(name)) this.#contexts.set(name, context);
  }

  /**
   * The one for that host, or for all with another first label. Where there is none, one that is for that host by its own names, in spite of those that it was given, unless what is shown else is; then undefined.
   */
  find(host: string): SecureContext | undefined {
    const name = host.toLowerCase();
    const found = this.#contexts.get(name) ?? this.#contexts.get(name.replace(/^[^.]*/, '*'));
    if (found) return found;
    // No host is called so, and whoever asks for one would have Node throw.
    if (host.includes('\0')) return undefined;
    const isFor = (certificate: X509Certificate) =>
      certificate.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined;
    if (isFor(this.#usual)) return undefined;
    return this.#all.find(({ certificate }) => isFor(certificate))?.context;
  }
}

/** Its common name, where that is a host name, and its DNS names; addresses are nothing that a client says. */
function ownNames(certificate: X509Certificate): string[] {
  const { CN: common } = certificate.toLegacyObject().subject as { CN?: string | string[] };
  const listed = certificate.subjectAltName?.split(', ') ?? [];
  return [
    ...[common ?? []].flat().slice(-1).filter(isHostPattern),
    ...listed.flatMap((entry) => /^DNS:([^"]+)$/.exec(entry)?.[1] ?? []),
  ];
}

const isHostPattern = (name: string): boolean =>
  name === '*' || (/^(\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) && !/^[\d.]+$/.test(name));
