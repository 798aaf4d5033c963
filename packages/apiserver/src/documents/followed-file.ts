import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '@wherry/clock';
import { periods } from '../limits.ts';

/** What a file is followed with. */
export interface FollowedFileOptions {
  path: string;
  /** What was read at the start. */
  file: Uint8Array;
  clock: Clock;
  /** Takes what stands there now. False: it could not, and is asked again at the next look. May not reject. */
  take(file: Uint8Array): Promise<boolean>;
  onUnreadable(error: unknown): void;
}

/** A configuration that is looked at for changes, as often as `periods.configurationFileMs` says. */
export class FollowedFile {
  readonly #options: FollowedFileOptions;
  #digest: string;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: FollowedFileOptions) {
    this.#options = options;
    this.#digest = digestOf(options.file);
  }

  follow(): void {
    this.#timer = this.#options.clock.after(periods.configurationFileMs, async () => {
      await this.#look();
      if (!this.#isClosed) this.follow();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const { path, take, onUnreadable } = this.#options;
    let file: Buffer;
    try {
      file = await readFile(path);
    } catch (error) {
      onUnreadable(error);
      return;
    }
    const digest = digestOf(file);
    if (digest === this.#digest || this.#isClosed) return;
    if (await take(file)) this.#digest = digest;
  }
}

function digestOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
