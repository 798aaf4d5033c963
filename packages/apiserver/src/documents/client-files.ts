import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { FollowedFiles } from './followed-files.ts';

/** PEM files by which this server is known to others, and whom it believes there. */
export interface ClientPaths {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** What they hold. */
export type ClientMaterial = Readonly<Record<keyof ClientPaths, Buffer | undefined>>;

/** What {@link ClientFiles} are followed with. */
export interface ClientFilesOptions {
  /** Towards whom, for the log. */
  towards: string;
  clock: Clock;
  logger: Logger;
}

const names = ['ca', 'cert', 'key'] as const;

/** The files of a client certificate and of the authority of those who are dialled with it; they are looked at every five seconds. */
export class ClientFiles {
  #material: ClientMaterial;
  #onChange: (() => void) | undefined;
  readonly #followed: FollowedFiles | undefined;

  /** Throws the file's error when one is missing. */
  constructor(paths: ClientPaths, { towards, clock, logger }: ClientFilesOptions) {
    const given = names.flatMap((name) => (paths[name] === undefined ? [] : [[name, paths[name]] as const]));
    const materialOf = (files: readonly Buffer[]): ClientMaterial => {
      const read = new Map(given.map(([name], index) => [name, files[index]]));
      return { ca: read.get('ca'), cert: read.get('cert'), key: read.get('key') };
    };
    const files = given.map(([, path]) => readFileSync(path));
    this.#material = materialOf(files);
    if (given.length === 0) return;
    const tellUnchanged = (error: unknown) =>
      logger.warn('the certificate files stay as they were', { towards, error });
    this.#followed = new FollowedFiles({
      ...{ paths: given.map(([, path]) => path), files, clock, periodMs: periods.configurationFileMs },
      onUnreadable: tellUnchanged,
      take: async (changed) => {
        const material = materialOf(changed);
        try {
          createSecureContext(material);
        } catch (error) {
          // A pair that is half written is looked at again.
          tellUnchanged(error);
          return false;
        }
        this.#material = material;
        logger.info('the certificate files were read anew', { towards });
        this.#onChange?.();
        return true;
      },
    });
    this.#followed.follow();
  }

  /** As they were read last. */
  get current(): ClientMaterial {
    return this.#material;
  }

  /** Calls back after each change. */
  onChange(callback: () => void): void {
    this.#onChange = callback;
  }

  close(): void {
    this.#followed?.close();
  }
}
