import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const mirror = 'http://deb.debian.org/debian';

/** A Debian that nothing was installed on, of which copies are made: debootstrap makes it once. Needs root and the network. */
export function freshRoot(suite: string): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? '/var/cache', 'wherry-first-minutes');
  const root = join(cache, suite);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `${suite}-`));
  const { status, error } = spawnSync('debootstrap', ['--variant=minbase', suite, making, mirror], {
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new Error(`debootstrap (apt-get install debootstrap): ${error?.message ?? `ended with ${status}`}`);
  renameSync(making, root);
  // apt asks its servers as a user of its own, who has to come in.
  chmodSync(root, 0o755);
  return root;
}
