import { readFile } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { FollowedFiles } from '../documents/followed-files.ts';
import { ReloadMetrics } from '../documents/reload-metrics.ts';
import { periods } from '../limits.ts';
import { readingSettings } from '../settings-error.ts';
import type { ResourceRule } from './configuration.ts';
import { Encryption } from './encryption.ts';
import { EncryptionFigures } from './encryption-figures.ts';
import type { KmsKeys } from './kms/kms-keys.ts';
import { readConfiguration } from './read-configuration.ts';

/** What a file is read and followed with. */
export interface EncryptionFileOptions {
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

type Parts = EncryptionFileOptions & { figures: EncryptionFigures };

interface Loaded {
  rules: readonly ResourceRule[];
  /** By their names. */
  kms: ReadonlyMap<string, KmsKeys>;
}

/** The file of `--encryption-provider-config`, and the encryption that it asks for. */
export class EncryptionFile {
  readonly encryption: Encryption;
  readonly #path: string;
  readonly #options: Parts;
  readonly #reloads: ReloadMetrics;
  #loaded: Loaded;
  readonly #followed: FollowedFiles;
  #isClosed = false;

  private constructor(path: string, file: Buffer, loaded: Loaded, options: Parts) {
    this.#path = path;
    this.#loaded = loaded;
    this.#options = options;
    this.encryption = new Encryption(loaded.rules, loaded.kms, options.figures);
    const names = { subsystem: 'encryption_config_controller', subject: 'encryption' };
    this.#reloads = new ReloadMetrics(options.metrics, options.clock, names);
    this.#reloads.holds(file);
    // The keys themselves are kept nowhere but where they are used.
    this.#followed = new FollowedFiles({
      ...{ paths: [path], files: [file], clock: options.clock, periodMs: periods.encryptionFileMs },
      onUnreadable: (error) => this.#tellUnchanged(error),
      take: ([changed = Buffer.alloc(0)]) => this.#take(changed),
    });
  }

  /** Rejects with an Error that names the file and what is wrong with it, and shows no key. */
  static async open(path: string, options: EncryptionFileOptions): Promise<EncryptionFile> {
    const file = await readFile(path);
    const parts = { ...options, figures: new EncryptionFigures(options.metrics, options.clock) };
    return new EncryptionFile(path, file, await load(path, file, parts), parts);
  }

  /** Undefined where no program keeps keys; else whether all that do were well when they were asked last. */
  get areProvidersWell(): boolean | undefined {
    const { kms } = this.#loaded;
    return kms.size === 0 ? undefined : areWell(this.#loaded);
  }

  /** Looks for changes from now on. What is bad is told of, and what was in force stays. */
  follow(): void {
    this.#followed.follow();
  }

  close(): void {
    this.#isClosed = true;
    this.#followed.close();
    end(this.#loaded);
  }

  async #take(file: Buffer): Promise<boolean> {
    try {
      await this.#replace(await load(this.#path, file, this.#options));
    } catch (error) {
      this.#tellUnchanged(error);
      return false;
    }
    this.#reloads.holds(file);
    this.#reloads.count('success');
    this.#options.logger.info('the encryption of stored values follows its changed file', {
      file: this.#path,
    });
    return true;
  }

  #tellUnchanged(error: unknown): void {
    this.#reloads.count('failure');
    this.#options.logger.error('the encryption of stored values stays as it was', { error });
  }

  async #replace(next: Loaded): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + periods.kmsStartMs;
    while (!areWell(next) && clock.monotonicMs() < endMs && !this.#isClosed) {
      await new Promise<void>((resolve) => clock.after(periods.kmsStartLookMs, () => resolve()));
      await Promise.all([...next.kms.values()].map((keys) => keys.lookAgain()));
    }
    if (!areWell(next) || this.#isClosed) {
      end(next);
      throw new Error(`the encryption configuration ${this.#path}: its KMS providers are not well`);
    }
    const before = this.#loaded;
    this.#loaded = next;
    this.encryption.replace(next.rules, next.kms);
    // Calls that are under way may end.
    const graceMs = [...before.kms.values()].reduce((sum, { settings }) => sum + 2 * settings.timeoutMs, 0);
    clock.after(graceMs, () => end(before));
  }
}

async function load(path: string, file: Buffer, options: Parts): Promise<Loaded> {
  const rules = rulesOf(path, file);
  const settings = rules.flatMap(({ providers }) => providers.flatMap(({ kms }) => kms ?? []));
  return { rules, kms: await openKms(settings, options) };
}

/** Only who has keys elsewhere loads what asks for them. */
async function openKms(
  settings: readonly KmsKeys['settings'][],
  options: Parts,
): Promise<ReadonlyMap<string, KmsKeys>> {
  if (settings.length === 0) return new Map();
  const { KmsKeys } = await import('./kms/kms-keys.ts');
  const all = await Promise.all(settings.map((each) => KmsKeys.open(each, options)));
  return new Map(all.map((keys) => [keys.settings.name, keys]));
}

function areWell({ kms }: Loaded): boolean {
  return [...kms.values()].every(({ problem }) => problem === undefined);
}

function end({ kms }: Loaded): void {
  for (const keys of kms.values()) keys.close();
}

const rulesOf = (path: string, file: Buffer): readonly ResourceRule[] =>
  readingSettings(`the encryption configuration ${path}`, () => readConfiguration(file));
