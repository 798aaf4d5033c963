import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import { closeDescriptor, pathForChildren, sealedCopy } from '@wherry/linux';
import { limits } from '../limits.ts';

/** Programs that take such a copy of themselves for as good as the one they make each time. */
const takers = new Set(['runc', 'crun']);

interface Copy {
  identity: string;
  /** Not there while the copy is being made, and where it can't be run. */
  descriptor?: number;
}

export interface SealedProgramsOptions {
  clock: Clock;
  /** Runs a program that is to print its version, and gives its exit code; the signal kills it. */
  tryProgram: (path: string, signal: AbortSignal) => Promise<number | null>;
}

/**
 * runc and crun make sure at each call that the container can't reach their file (CVE-2019-5736): they mount it anew or copy it, and
 * run themselves again from there. One that runs from a sealed file in memory sees that it need not, which saves a twentieth of
 * a start or an exec. Such a file is made once here, for all calls, from when the program is first asked for; until it is
 * there, and where it can't be, the program's own file is run. One that was replaced is copied anew.
 *
 * With SELinux the program's file says what the process may do, so that it is left alone there.
 */
export class SealedPrograms {
  readonly #copies = new Map<string, Copy>();
  readonly #isOff = existsSync('/sys/fs/selinux/enforce');
  readonly #options: SealedProgramsOptions;
  readonly #underway = new Set<Promise<void>>();
  readonly #closed = new AbortController();

  constructor(options: SealedProgramsOptions) {
    this.#options = options;
  }

  /** What to run for the program at an absolute path. */
  pathOf(path: string): string {
    if (this.#isOff || this.#closed.signal.aborted || !takers.has(basename(path))) return path;
    const identity = identityOf(path);
    const copy = this.#copies.get(path);
    if (copy && copy.identity === identity)
      return copy.descriptor === undefined ? path : pathForChildren(copy.descriptor);
    this.#copies.delete(path);
    if (copy?.descriptor !== undefined) this.#follow(this.#closeLater(copy.descriptor));
    if (identity !== undefined) this.#follow(this.#seal(path, { identity }));
    return path;
  }

  async #seal(path: string, copy: Copy): Promise<void> {
    this.#copies.set(path, copy);
    const descriptor = await this.#runnableCopy(path);
    if (descriptor === undefined) return;
    if (this.#copies.get(path) === copy && identityOf(path) === copy.identity) copy.descriptor = descriptor;
    else closeDescriptor(descriptor);
  }

  /** Undefined where the machine makes no such files, or does not run them. */
  async #runnableCopy(path: string): Promise<number | undefined> {
    let descriptor: number | undefined;
    try {
      descriptor = sealedCopy(basename(path), await readFile(path));
      const code = await this.#options.tryProgram(pathForChildren(descriptor), this.#closed.signal);
      if (code === 0) return descriptor;
    } catch {
      // As good as an exit code: the program's own file is run.
    }
    if (descriptor !== undefined) closeDescriptor(descriptor);
    return undefined;
  }

  /** Who was told the path may be about to run it. */
  async #closeLater(descriptor: number): Promise<void> {
    const { signal } = this.#closed;
    await sleep({ clock: this.#options.clock, delayMs: limits.ociCallTimeoutMs, signal }).catch(() => {});
    closeDescriptor(descriptor);
  }

  #follow(work: Promise<void>): void {
    this.#underway.add(work);
    void work.finally(() => this.#underway.delete(work));
  }

  /** Lets go of all copies, those that are being made among them. No call of the programs may be under way. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#underway);
    for (const { descriptor } of this.#copies.values())
      if (descriptor !== undefined) closeDescriptor(descriptor);
    this.#copies.clear();
  }
}

/** Another one for each content that the file has had; undefined where there is none. */
function identityOf(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status && `${status.dev}:${status.ino}:${status.size}:${status.mtimeMs}`;
}
