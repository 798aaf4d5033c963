/** Programs of npm, which have a lock file of their own below `npm`. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'npm');

/** Installs them unless they are there, 470 MB that nothing else needs, and checks that the programs beside them fit. */
export function installPrograms(): void {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json')))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
    });
  execFileSync('npx', ['tsc', '-p', folder], { stdio: 'pipe' });
}

/** The path of a file below `npm`: one of the programs there, or of an installed package. */
export const programOf = (path: string): string => join(folder, path);
