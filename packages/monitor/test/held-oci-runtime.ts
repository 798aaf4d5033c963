import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './harness.ts';

/** The OCI runtime's own work that a call can be held before or after. */
export type HeldAt = 'before' | 'after';

/**
 * runc behind a script that can be made to wait, so that tests look into the middle of a call whatever the machine's
 * speed is.
 */
export class HeldOciRuntime {
  /** The program to give to a monitor. */
  readonly program: string;
  readonly #folder: string;

  /** Puts the script into `folder`, which must exist. */
  constructor(folder: string) {
    this.#folder = folder;
    this.program = join(folder, 'held-runc');
    const script = [
      '#!/bin/bash',
      'verb=',
      'for word in "$@"; do case $word in run|create|start|exec|delete|checkpoint|restore) verb=$word; break;; esac; done',
      `wait_at() { if [ -e "${folder}/hold-$verb-$1" ]; then : > "${folder}/held-$verb-$1"; fi`,
      `  while [ -e "${folder}/hold-$verb-$1" ]; do sleep 0.02; done; }`,
      'wait_at before',
      'runc "$@"; code=$?',
      'wait_at after',
      'exit $code',
      '',
    ];
    writeFileSync(this.program, script.join('\n'), { mode: 0o755 });
  }

  /** From now on calls of `verb` wait, before or after runc's work. */
  hold(verb: string, at: HeldAt): void {
    rmSync(join(this.#folder, `held-${verb}-${at}`), { force: true });
    writeFileSync(join(this.#folder, `hold-${verb}-${at}`), '');
  }

  /** Settles when a call waits. */
  async reached(verb: string, at: HeldAt): Promise<void> {
    await until(() => existsSync(join(this.#folder, `held-${verb}-${at}`)), 20_000);
  }

  /** Lets the calls go on. */
  release(verb: string, at: HeldAt): void {
    rmSync(join(this.#folder, `hold-${verb}-${at}`), { force: true });
  }
}
