import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what @wherry/client is compared with, unless it is there: 83 MB that nothing else needs. */
export function installClientNode(): void {
  const folder = import.meta.dirname;
  if (existsSync(join(folder, 'node_modules/@kubernetes/client-node'))) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' });
}
