import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lstat, mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A certificate, with those that link it to its authority, and its key; PEM. */
export interface Pair {
  cert: string;
  key: string;
}

/**
 * A certificate and its key in one file, as upstream's kubelets keep them (client-go util/certificate): `NAME-current.pem`
 * is a link to the file of the newest pair, `NAME-2026-01-31-12-00-00.pem`.
 */
export class PairStore {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get currentPath(): string {
    return this.#path('current');
  }

  /** The newest pair; undefined when there is none yet. Throws on a file that holds none. */
  async read(): Promise<Pair | undefined> {
    const text = await this.#readCurrent();
    if (text === undefined) return undefined;
    const blocks = (label: string) =>
      text.match(new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g'));
    const cert = blocks('CERTIFICATE')?.join('\n');
    const key = blocks('(?:EC |RSA )?PRIVATE KEY')?.[0];
    if (!cert || !key) throw new Error(`"${this.currentPath}" holds no certificate with its key`);
    return { cert: `${cert}\n`, key: `${key}\n` };
  }

  /** Takes a pair over; after a crash the old one is there, or the new one. Throws when they do not belong together. */
  async write({ cert, key }: Pair, nowMs: number): Promise<void> {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error(`the certificate for "${this.#name}" was issued for another key`);
    await mkdir(this.#folder, { recursive: true, mode: 0o755 });
    const path = this.#path(new Date(nowMs).toISOString().slice(0, 19).replace(/[T:]/g, '-'));
    await writeFile(path, `${cert.trimEnd()}\n${key.trimEnd()}\n`, { mode: 0o600, flush: true });
    await this.#isLink(this.currentPath);
    const updated = this.#path('updated');
    if (await this.#isLink(updated)) await unlink(updated);
    await symlink(resolve(path), updated);
    await rename(updated, this.currentPath);
  }

  async #readCurrent(): Promise<string | undefined> {
    // Where upstream's kubelet died between two steps, only the second link is there.
    for (const which of ['current', 'updated']) {
      try {
        return await readFile(this.#path(which), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return undefined;
  }

  /** Whether a link is there. What is none was put there by somebody, and is refused, not thrown away. */
  async #isLink(path: string): Promise<boolean> {
    const stat = await lstat(path).catch(() => undefined);
    if (!stat || stat.isSymbolicLink()) return stat !== undefined;
    throw new Error(`expected "${path}" to be a symlink but it is a file`);
  }

  #path(qualifier: string): string {
    return join(this.#folder, `${this.#name}-${qualifier}.pem`);
  }
}
