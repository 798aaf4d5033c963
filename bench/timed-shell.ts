import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a shell line to its end; what it printed and how long it took. Rejects when any program of a pipe fails. */
export async function timedShell(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ output: string; ms: number }> {
  const before = performance.now();
  const child = spawn('bash', ['-o', 'pipefail', '-c', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`"${script}" ended with exit code ${code}`);
  return { output: output.trim(), ms: performance.now() - before };
}
