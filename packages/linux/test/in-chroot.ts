import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a chroot of the machine's own folders in a mount namespace of its own. */
const script = `
  mount -t tmpfs tmpfs "$1"
  for path in /*; do
    if [ -L "$path" ]; then cp -P "$path" "$1$path"; elif [ -d "$path" ]; then mkdir "$1$path" && mount --rbind "$path" "$1$path"; fi
  done
  cd "$2"
  root=$1
  shift 2
  exec chroot "$root" env --chdir="$PWD" "$@"`;

/** Runs a command in a chroot that looks like the machine, in the same folder. Needs root. */
export function runInChroot(words: readonly string[], cwd = process.cwd()) {
  const root = mkdtempSync(join(tmpdir(), 'wherry-chroot-'));
  try {
    const shell = ['sh', '-ec', script, 'sh', root, cwd, ...words];
    return spawnSync('unshare', ['--mount', ...shell], { encoding: 'utf8' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
