import { execFile, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where .cargo/config.toml has it built. */
const target = join(dirname(import.meta.dirname), 'bin', 'kubers-target');

/** Builds the program in Rust and answers its path. The first time it compiles for minutes. */
export async function buildKubers(): Promise<string> {
  try {
    execFileSync('cargo', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      'kube-rs is built with cargo, of Rust 1.89 or newer, and it is not on PATH: install Rust',
    );
  }
  await run('cargo', ['build', '--quiet'], {
    cwd: import.meta.dirname,
    maxBuffer: 16 << 20,
  });
  return join(target, 'debug', 'kubers');
}
