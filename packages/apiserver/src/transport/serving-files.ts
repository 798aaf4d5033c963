import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { tlsOptions } from '@wherry/upgrade';
import { periods } from '../limits.ts';
import type { ApiserverOptions } from '../options.ts';

/** What the files are followed with. */
export interface FollowingOptions {
  server: Server;
  clock: Clock;
  logger: Logger;
  /** Others than before are trusted. */
  onAuthority(): void;
}

interface Files {
  cert: Buffer;
  key: Buffer;
  /** Who signs certificates of clients. */
  ca: Buffer;
}

/** The server's certificate, and whom it trusts, as their files say; they are looked at every five seconds. */
export class ServingFiles {
  readonly #options: ApiserverOptions;
  #files: Files;
  #timer: Timer | undefined;
  #isClosed = false;

  /** Throws the file's error when one is missing. */
  constructor(options: ApiserverOptions) {
    this.#options = options;
    const [cert, key, ca] = pathsOf(options).map((path) => readFileSync(path)) as [Buffer, Buffer, Buffer];
    this.#files = { cert, key, ca };
  }

  /** What an HTTPS server is made with. */
  get context(): SecureContextOptions {
    return { ...this.#files, ...tlsOptions(this.#options) };
  }

  /** New connections have what the files say from now on. What can't be used is told of, and what was there serves on. */
  follow(options: FollowingOptions): void {
    this.#timer = options.clock.after(periods.configurationFileMs, async () => {
      await this.#look(options);
      if (!this.#isClosed) this.follow(options);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #look({ server, logger, onAuthority }: FollowingOptions): Promise<void> {
    const before = this.#files;
    try {
      const [cert, key, ca] = (await Promise.all(pathsOf(this.#options).map((path) => readFile(path)))) as [
        Buffer,
        Buffer,
        Buffer,
      ];
      const hasNewAuthority = !ca.equals(before.ca);
      if (this.#isClosed || (!hasNewAuthority && cert.equals(before.cert) && key.equals(before.key))) return;
      this.#files = { cert, key, ca };
      server.setSecureContext(this.context);
      logger.info('the files of the serving certificate and of the client CA were read anew', {
        hasNewAuthority,
      });
      if (hasNewAuthority) onAuthority();
    } catch (error) {
      // A pair that is half written is looked at again.
      this.#files = before;
      logger.warn('the files of the serving certificate and of the client CA stay as they were', { error });
    }
  }
}

const pathsOf = (options: ApiserverOptions) =>
  [options.tlsCertFile, options.tlsPrivateKeyFile, options.clientCaFile] as const;
