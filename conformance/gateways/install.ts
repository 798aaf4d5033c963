import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the frameworks that docs/gateways.md shows, unless they are there. */
export function installFrameworks(): void {
  const folder = import.meta.dirname;
  if (existsSync(join(folder, 'node_modules/fastify'))) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' });
}
