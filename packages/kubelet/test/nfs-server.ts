import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A mount(8) that stands for one with servers: it notes how it is called, and mounts the folder of this machine that has the
 * path. The server `hung` does not answer as long as this is in use, `none` is refused.
 */
export class MountProgram implements Disposable {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'nfs-server-'));
  readonly #log = join(this.#folder, 'calls');

  constructor() {
    this.path = join(this.#folder, 'mount');
    const script = `#!/bin/sh
printf '%s\\n' "$*" >> '${this.#log}'
while [ "$1" != -- ]; do shift; done
case $2 in
  hung:*) while [ -e '${this.#log}' ]; do sleep 1; done; exit 1 ;;
  none:*) echo "mount.nfs: access denied by server while mounting $2" >&2; exit 32 ;;
esac
exec mount --bind "\${2##*:}" "$3"
`;
    writeFileSync(this.path, script);
    chmodSync(this.path, 0o755);
    writeFileSync(this.#log, '');
  }

  /** How it was called, one line each. */
  get calls(): string[] {
    return readFileSync(this.#log, 'utf8').split('\n').slice(0, -1);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
