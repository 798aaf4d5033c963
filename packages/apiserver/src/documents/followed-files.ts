import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '@wherry/clock';

/** What files are followed with. */
export interface FollowedFilesOptions {
  paths: readonly string[];
  /** What was read of them at the start; nothing of it is kept but a digest. */
  files: readonly Uint8Array[];
  clock: Clock;
  /** Between two looks. */
  periodMs: number;
  /** Takes what stands there now. False: it could not, and is asked again at the next look. May not reject. */
  take(files: readonly Buffer[]): Promise<boolean>;
  onUnreadable(error: unknown): void;
}

/** Files that make one configuration, and are looked at for changes. */
export class FollowedFiles {
  readonly #options: Omit<FollowedFilesOptions, 'files'>;
  #digest: string;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor({ files, ...options }: FollowedFilesOptions) {
    this.#options = options;
    this.#digest = digestOf(files);
  }

  follow(): void {
    const { clock, periodMs } = this.#options;
    this.#timer = clock.after(periodMs, async () => {
      await this.#look();
      if (!this.#isClosed) this.follow();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const { paths, take, onUnreadable } = this.#options;
    let files: Buffer[];
    try {
      files = await Promise.all(paths.map((path) => readFile(path)));
    } catch (error) {
      onUnreadable(error);
      return;
    }
    const digest = digestOf(files);
    if (digest === this.#digest || this.#isClosed) return;
    if (await take(files)) this.#digest = digest;
  }
}

function digestOf(files: readonly Uint8Array[]): string {
  const each = files.map((file) => createHash('sha256').update(file).digest('hex'));
  return each.join();
}
