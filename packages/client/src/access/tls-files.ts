import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '@wherry/clock';
import type { KubeconfigCluster, KubeconfigUser } from '../config/kubeconfig.ts';
import { limits } from '../limits.ts';
import type { TlsMaterial, TlsSource } from '../transport/cluster-access.ts';
import { readTlsMaterial, tlsPaths } from './tls-material.ts';

/** What {@link TlsFiles} are made of. */
export interface TlsFilesOptions {
  cluster: KubeconfigCluster;
  user: KubeconfigUser;
  userName: string;
  /** What the files said at first. */
  first: TlsMaterial;
  clock?: Clock | undefined;
}

/**
 * A client certificate, its key and a certificate authority in files that somebody renews. They are looked at again for a request that
 * comes `limits.tlsFilesReuseMs` after the last look; what can't be read or used, as a pair of which one half is written, leaves what was
 * there in use.
 */
export class TlsFiles implements TlsSource {
  readonly #options: TlsFilesOptions;
  readonly #clock: Clock;
  #current: TlsMaterial;
  #lookedAtMs: number;
  #looking: Promise<TlsMaterial> | undefined;

  /** Undefined where the kubeconfig has all of it inline. */
  static of(options: TlsFilesOptions): TlsFiles | undefined {
    return tlsPaths(options.cluster, options.user).length === 0 ? undefined : new TlsFiles(options);
  }

  private constructor({ clock = systemClock, ...options }: TlsFilesOptions) {
    this.#options = options;
    this.#clock = clock;
    this.#current = options.first;
    this.#lookedAtMs = clock.monotonicMs();
  }

  async current(): Promise<TlsMaterial> {
    const isFresh = this.#clock.monotonicMs() - this.#lookedAtMs < limits.tlsFilesReuseMs;
    if (isFresh && !this.#looking) return this.#current;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<TlsMaterial> {
    this.#lookedAtMs = this.#clock.monotonicMs();
    const { cluster, user, userName } = this.#options;
    try {
      const paths = tlsPaths(cluster, user);
      const files = new Map(
        await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)),
      );
      const read = readTlsMaterial({ cluster, user, userName }, (path) => files.get(path));
      if (!isSame(read, this.#current)) this.#current = read;
    } catch {}
    return this.#current;
  }
}

const isSame = (left: TlsMaterial, right: TlsMaterial) =>
  (['ca', 'cert', 'key'] as const).every((name) => {
    const [one, other] = [left[name], right[name]];
    return one && other ? one.equals(other) : one === other;
  });
