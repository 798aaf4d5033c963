import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An environment of Python with what `requirements` names, made anew when that changes; the folder of its programs. */
export function pythonEnvironment(name: string, requirements: string): string {
  const folder = join(import.meta.dirname, '../bin', name);
  const file = join(import.meta.dirname, requirements);
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  const installed = join(folder, 'installed');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== digest) {
    rmSync(folder, { recursive: true, force: true });
    const quietly: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync('python3', ['-m', 'venv', folder], quietly);
    const words = ['install', '--quiet', '--disable-pip-version-check', '--requirement', file];
    execFileSync(join(folder, 'bin/pip'), words, quietly);
    writeFileSync(installed, digest);
  }
  return join(folder, 'bin');
}
