import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { tlsOptions } from '@wherry/upgrade';
import type { ClientAuthorities } from '../authentication/client-authorities.ts';
import { frontProxyAuthority } from '../authentication/front-proxy.ts';
import { pemCertificates } from '../dialing/pem-certificates.ts';
import { FollowedFiles } from '../documents/followed-files.ts';
import { periods } from '../limits.ts';
import type { ApiserverOptions, NamedCertificate } from '../options.ts';
import { readingSettings, SettingsError } from '../settings-error.ts';
import { NamedCertificates } from './named-certificates.ts';

/** What the files are followed with. */
export interface FollowingOptions {
  server: Server;
  clock: Clock;
  logger: Logger;
  /** Others than before are trusted. */
  onAuthority(): void;
}

/** The server's certificate and key, who signs certificates of clients and of proxies, where they are believed, and named certificates with their keys. */
type Files = readonly Buffer[];

/** The server's certificate, and whom it trusts, as their files say; they are looked at every five seconds. */
export class ServingFiles {
  readonly #options: ApiserverOptions;
  readonly #authorities: ClientAuthorities;
  readonly #named: readonly NamedCertificate[];
  readonly #paths: readonly string[];
  /** Where the named certificates begin among the files. */
  readonly #namedFrom: number;
  #files: Files;
  #certificates: NamedCertificates;
  #followed: FollowedFiles | undefined;

  /** Throws the file's error when one is missing, and {@link SettingsError} where it is of no use. `authorities` is told of those that the files hold. */
  constructor(options: ApiserverOptions, authorities: ClientAuthorities) {
    this.#options = options;
    this.#authorities = authorities;
    this.#named = options.tlsSniCertKeys ?? [];
    const authorityPaths = [options.clientCaFile, frontProxyAuthority(options)];
    const others = [options.tlsCertFile, options.tlsPrivateKeyFile, ...authorityPaths].filter(
      (path) => path !== undefined,
    );
    this.#namedFrom = others.length;
    this.#paths = [...others, ...this.#named.flatMap(({ certFile, keyFile }) => [certFile, keyFile])];
    this.#files = this.#paths.map((path) => readFileSync(path));
    this.#tellAuthorities();
    this.#requirePair();
    this.#certificates = this.#readNamed();
  }

  /** What an HTTPS server is made with. */
  get context(): SecureContextOptions {
    // Where there is no authority the list is empty, and nobody is trusted: without a list it would be those of Node.
    const [cert, key] = this.#files;
    return { cert, key, ca: [...this.#authorityFiles(this.#files)], ...tlsOptions(this.#options) };
  }

  /** What is shown to who says that host; undefined: the server's own certificate. */
  contextFor(host: string): SecureContext | undefined {
    return this.#certificates.find(host);
  }

  /** New connections have what the files say from now on. What can't be used is told of, and what was there serves on. */
  follow({ server, clock, logger, onAuthority }: FollowingOptions): void {
    const tellUnchanged = (error: unknown) =>
      logger.warn('the files of the serving certificate and of the client CA stay as they were', { error });
    this.#followed = new FollowedFiles({
      ...{ paths: this.#paths, files: this.#files, clock, periodMs: periods.configurationFileMs },
      onUnreadable: tellUnchanged,
      take: async (files) => {
        const before = this.#files;
        this.#files = files;
        try {
          this.#tellAuthorities();
          const certificates = this.#readNamed();
          server.setSecureContext(this.context);
          this.#certificates = certificates;
        } catch (error) {
          // A pair that is half written is looked at again.
          this.#files = before;
          this.#tellAuthorities();
          tellUnchanged(error);
          return false;
        }
        const authoritiesBefore = this.#authorityFiles(before);
        const hasNewAuthority = this.#authorityFiles(files).some(
          (file, index) => !authoritiesBefore[index]?.equals(file),
        );
        logger.info('the files of the serving certificate and of the client CA were read anew', {
          hasNewAuthority,
        });
        if (hasNewAuthority) onAuthority();
        return true;
      },
    });
    this.#followed.follow();
  }

  #authorityFiles(files: Files): Files {
    return files.slice(2, this.#namedFrom);
  }

  #readNamed(): NamedCertificates {
    return new NamedCertificates(this.#named, this.#files.slice(this.#namedFrom), this.context);
  }

  #requirePair(): void {
    const [cert, key] = this.#files;
    const [certFile, keyFile] = this.#paths;
    const what = `the serving certificate "${certFile}" with the key "${keyFile}"`;
    readingSettings(what, () => createSecureContext({ cert, key }));
  }

  #tellAuthorities(): void {
    const authorities = [...this.#authorityFiles(this.#files)];
    for (const [index, pem] of authorities.entries())
      if (pemCertificates(pem.toString('latin1')).length === 0)
        throw new SettingsError(`"${this.#paths[index + 2]}" has no certificate of an authority`);
    const clients = this.#options.clientCaFile === undefined ? undefined : authorities.shift();
    this.#authorities.take(clients, authorities[0]);
  }

  close(): void {
    this.#followed?.close();
  }
}
