import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';

/** Which old files stay, and how. */
export interface OldLogsOptions {
  /** Of the file that is written. */
  path: string;
  maxAgeDays?: number | undefined;
  maxBackups?: number | undefined;
  compresses?: boolean | undefined;
}

const dayMs = 86_400_000;
const packed = '.gz';
const plainName = (name: string) => (name.endsWith(packed) ? name.slice(0, -packed.length) : name);

/** The files that a log has left beside itself: named by when they were ended, and no others. */
export class OldLogs {
  readonly #options: OldLogsOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #folder: string;
  readonly #stem: string;
  readonly #extension: string;
  #packing: Promise<void> = Promise.resolve();

  constructor(options: OldLogsOptions, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    const { path } = options;
    this.#folder = dirname(path);
    this.#extension = extname(path);
    this.#stem = `${basename(path, this.#extension)}-`;
  }

  /** Where the file goes that ends now. */
  newPath(): string {
    const time = new Date(this.#clock.nowMs()).toISOString().replaceAll(':', '-').replace(/Z$/, '');
    return join(this.#folder, `${this.#stem}${time}${this.#extension}`);
  }

  /** Removes what is too much or too old, and packs the rest where that is asked for. */
  tidy(): void {
    const { maxAgeDays = 366, maxBackups = 100, compresses } = this.#options;
    const oldestMs = this.#clock.nowMs() - maxAgeDays * dayMs;
    // One that is being packed is there twice, and counts once.
    const newestFirst = [...Map.groupBy(this.#names(), plainName)].sort(([a], [b]) => (a < b ? 1 : -1));
    for (const [index, [plain, names]] of newestFirst.entries()) {
      const files = names.map((name) => join(this.#folder, name));
      const isTooMany = maxBackups > 0 && index >= maxBackups;
      const isTooOld = maxAgeDays > 0 && files.every((file) => statSync(file).mtimeMs < oldestMs);
      if (isTooMany || isTooOld) for (const file of files) unlinkSync(file);
      else if (compresses && names.includes(plain)) this.#packLater(join(this.#folder, plain));
    }
  }

  /** Resolves once what was begun is packed. */
  close(): Promise<void> {
    return this.#packing;
  }

  #packLater(file: string): void {
    this.#packing = this.#packing
      .then(() => (existsSync(file) ? this.#pack(file) : undefined))
      .catch((error: unknown) => {
        rmSync(file + packed, { force: true });
        this.#logger.warn('an old audit log can not be packed', { file, error });
      });
  }

  async #pack(file: string): Promise<void> {
    const written = createWriteStream(file + packed, { mode: statSync(file).mode & 0o777 });
    await pipeline(createReadStream(file), createGzip(), written);
    unlinkSync(file);
  }

  #names(): string[] {
    return readdirSync(this.#folder).filter((name) => {
      const plain = plainName(name);
      const time = plain.slice(this.#stem.length, plain.length - this.#extension.length);
      const isOurs = plain.startsWith(this.#stem) && plain.endsWith(this.#extension);
      return isOurs && /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(time);
    });
  }
}
