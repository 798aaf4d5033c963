import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { Encryption } from './encryption.ts';
import { readConfiguration } from './read-configuration.ts';

/** The file of `--encryption-provider-config`, and the encryption that it asks for. */
export class EncryptionFile {
  readonly encryption: Encryption;
  readonly #path: string;
  /** Of what is in force: the keys themselves are kept nowhere but where they are used. */
  #digest: string;
  #timer: Timer | undefined;
  #isClosed = false;

  private constructor(path: string, file: Buffer) {
    this.#path = path;
    this.#digest = digestOf(file);
    this.encryption = new Encryption(rulesOf(path, file));
  }

  /** Throws an Error that names the file and what is wrong with it, and shows no key. */
  static open(path: string): EncryptionFile {
    return new EncryptionFile(path, readFileSync(path));
  }

  /** Looks for changes from now on. What is bad is told of, and what was in force stays. */
  follow({ clock, logger }: { clock: Clock; logger: Logger }): void {
    this.#timer = clock.after(periods.encryptionFileMs, async () => {
      await this.#look(logger);
      if (!this.#isClosed) this.follow({ clock, logger });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #look(logger: Logger): Promise<void> {
    try {
      const file = await readFile(this.#path);
      const digest = digestOf(file);
      if (digest === this.#digest || this.#isClosed) return;
      this.encryption.replace(rulesOf(this.#path, file));
      this.#digest = digest;
      logger.info('the encryption of stored values follows its changed file', { file: this.#path });
    } catch (error) {
      logger.error('the encryption of stored values stays as it was', { error });
    }
  }
}

function rulesOf(path: string, file: Buffer): ReturnType<typeof readConfiguration> {
  try {
    return readConfiguration(file);
  } catch (error) {
    throw new Error(`the encryption configuration ${path}: ${(error as Error).message}`);
  }
}

function digestOf(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex');
}
