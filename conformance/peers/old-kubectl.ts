import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'kubernetes-client-1.20');

/**
 * Path of kubectl 1.20, which knows SPDY alone. It is Debian's package `kubernetes-client`, unpacked beside a newer
 * kubectl rather than installed over it.
 */
export function oldKubectl(): string {
  const path = join(folder, 'usr/bin/kubectl');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', ['download', '-qq', 'kubernetes-client'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (!archive) throw new Error('apt-get download kubernetes-client brought no package');
  execFileSync('dpkg', ['-x', archive, '.'], { cwd: folder });
  rmSync(join(folder, archive));
  return path;
}
